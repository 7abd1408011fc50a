/** Why a document is not valid XML, and where. Lines and columns count from 1. */
export class XmlError extends Error {
  override readonly name = 'XmlError';

  constructor(
    readonly reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${line}:${column}: ${reason}`);
  }
}
