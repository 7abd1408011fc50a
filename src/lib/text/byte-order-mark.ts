const UTF8_MARK = Buffer.from('\ufeff');

/** UTF-8 without the mark that editors put in front of it. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? bytes.subarray(UTF8_MARK.length) : bytes;
}
