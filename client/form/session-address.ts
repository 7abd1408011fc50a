/** The GCM profile binds values to this session code. */
export function sessionCodeOf(address: string): string {
  return /(?:SvcSession|AjaxSession)=([A-Za-z0-9_.-]+)/.exec(address)?.[1] ?? '';
}
