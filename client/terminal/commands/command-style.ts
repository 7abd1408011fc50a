const STYLE = 'terminal-commands.css';

let loading: Promise<void> | undefined;

/** The style sheet of what is loaded on demand comes with it. Without it things look plain, and work. */
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
