const DAY = /^\d{4}-\d\d-\d\d$/;

/** True for an existing day in the form YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const date = DAY.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
