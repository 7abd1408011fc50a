/** The session code of an address; values of the GCM profile are bound to it. */
export function sessionCodeOf(address: string): string {
  return /(?:SvcSession|AjaxSession)=([A-Za-z0-9_.-]+)/.exec(address)?.[1] ?? '';
}
