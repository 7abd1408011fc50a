/** Templates and inserted values are treated as hostile. */
export const templateLimits = {
  fileBytes: 4 * 1024 * 1024,
  /** In UTF-16 units. */
  delimiterLength: 32,
  tagsPerTemplate: 50_000,
  nesting: 32,
  /** UTF-16 units of a quoted string, and of the text between parentheses. */
  stringLength: 4096,
  variableNameLength: 256,
  diagnostics: 100,
  outputBytes: 4 * 1024 * 1024,
  /** All loops of a rendering together. */
  loopPasses: 100_000,
  /** Segments rendered, plus one for each 8 characters read. Limits the time of a rendering. */
  work: 10_000_000,
  headers: 64,
  /** Inline scripts with a hash in the policy of a page: 53 bytes of a header for each. */
  inlineScripts: 32,
  pdfMarks: 2_000,
} as const;
