/** The limits of templates. Both a template's source and the inserted values are treated as hostile. */
export const templateLimits = {
  /** Bytes of one file of a template directory. */
  fileBytes: 4 * 1024 * 1024,
  /** UTF-16 units of one declared delimiter. */
  delimiterLength: 32,
  tagsPerTemplate: 50_000,
  /** Pairs and text-holding tags inside one another. */
  nesting: 32,
  /** UTF-16 units of a quoted string of a tag, and of what stands between its parentheses. */
  stringLength: 4096,
  variableNameLength: 256,
  /** Diagnostics reported of one template; the rest is left out. */
  diagnostics: 100,
  /** Bytes of one rendered page. */
  outputBytes: 4 * 1024 * 1024,
  /** Passes of all loops of one rendering together. */
  loopPasses: 100_000,
  /** Segments rendered, plus one for each 8 characters looked at: bounds the time of one rendering. */
  work: 10_000_000,
  /** Header lines that one rendering may add. */
  headers: 64,
  /** Inline scripts whose hashes the policy of a page names: 53 bytes of a header for each. */
  inlineScripts: 32,
  /** Tags that lay out a PDF, as often as they are rendered. */
  pdfMarks: 2_000,
} as const;
