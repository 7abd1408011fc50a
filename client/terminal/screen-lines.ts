interface LinedScreen {
  readonly rows: number;
  readonly columns: number;
  cells(): readonly string[];
}

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
