/** The address in the name of an input (`V00002BC`, contract); undefined for other names. */
export function addressInName(name: string): number | undefined {
  const digits = /^V([\dA-F]{7})$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
