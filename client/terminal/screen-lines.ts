interface LinedScreen {
  readonly rows: number;
  readonly columns: number;
  cells(): readonly string[];
}

/** What a screen displays, a line of text for each row, without blanks at the end. */
export function screenLines(screen: LinedScreen): readonly string[] {
  const { rows, columns } = screen;
  const cells = screen.cells();
  return Array.from({ length: rows }, (_, row) =>
    cells
      .slice(row * columns, (row + 1) * columns)
      .join('')
      .trimEnd(),
  );
}
