const STYLE = 'terminal-commands.css';

let loading: Promise<void> | undefined;

export function loadCommandStyle(): Promise<void> {
  loading ??= new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL(`./${STYLE}`, import.meta.url).href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
  return loading;
}
