/** A file as it was uploaded, byte for byte. */
export interface StoredMacros {
  readonly bytes: Buffer;
  /** In quotation marks; the same for the same bytes. */
  readonly etag: string;
  readonly modified: Date;
}
