/** Shows the entries that contain all words of the input. @param found receives their number */
export function attachSearch(input: HTMLInputElement, list: HTMLElement, found?: (count: number) => void): void {
  input.addEventListener('input', () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const item of list.children) {
      if (!(item instanceof HTMLElement)) continue;
      const text = (item.textContent ?? '').toLowerCase();
      item.hidden = !wanted.every((word) => text.includes(word));
      if (!item.hidden) count++;
    }
    found?.(count);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    const first = list.querySelector<HTMLElement>(':scope > :not([hidden]) :is(a, button)');
    if (first === null) return;
    event.preventDefault();
    first.focus();
    if (event.key === 'Enter') first.click();
  });
}
