/** Why a document cannot be read as XML, and where. Lines and columns count from 1. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';

  constructor(
    readonly reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${line}:${column}: ${reason}`);
  }
}
