const positionId = /^[VP]0*([0-9A-F]+)$/i;
/** Positions nothing can be typed at have 7 digits: a short one is the name of something else, such as `pf`. */
const fieldId = /^(?:V0*|P(?=[0-9A-F]{7})0*)([0-9A-F]+)$/i;
/** Beyond every screen. */
const LARGEST_ADDRESS = 0xffff_ffff;

/** The address that a position's id names (V or P and hex digits, any number of them); undefined where it is none. */
export function addressOfPosition(id: string): number | undefined {
  return addressIn(id, positionId);
}

/** The same for the name of a field of a form. */
export function addressOfField(name: string): number | undefined {
  return addressIn(name, fieldId);
}

function addressIn(text: string, form: RegExp): number | undefined {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : Math.min(Number.parseInt(digits, 16), LARGEST_ADDRESS);
}
