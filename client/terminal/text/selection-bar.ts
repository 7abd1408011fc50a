import type { Actions } from '../action-registry.js';
import type { Terminal } from '../terminal.js';
import { words } from '../words/words.js';
import type { ScreenOverlay } from './screen-overlay.js';
import type { TextSelection } from './text-selection.js';

const shown = ['copy', 'copyTable', 'copyAppend'] as const;
const GAP = 6;
const SECONDARY_BUTTON = 2;

export class SelectionBar {
  readonly #selection: TextSelection;
  readonly #overlay: ScreenOverlay;
  readonly #bar = document.createElement('div');
  readonly #screen: HTMLElement;
  #isFinger = false;
  #asked: { readonly x: number; readonly y: number } | undefined;

  constructor(terminal: Terminal, actions: Actions, overlay: ScreenOverlay, selection: TextSelection) {
    this.#selection = selection;
    this.#overlay = overlay;
    this.#screen = terminal.element;
    const bar = this.#bar;
    bar.className = 'selection-bar';
    bar.hidden = true;
    bar.setAttribute('role', 'toolbar');
    bar.ariaLabel = words('select.bar');
    bar.addEventListener('mousedown', (event) => event.preventDefault());
    bar.append(
      ...shown.map((id) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.tabIndex = -1;
        button.textContent = words(`select.${id}`);
        button.addEventListener('click', () => {
          actions.run(id);
          this.#selection.drop();
          if (!matchMedia('(pointer: coarse)').matches) terminal.focus();
        });
        return button;
      }),
    );
    (document.querySelector('main') ?? document.body).append(bar);
    terminal.element.addEventListener('contextmenu', (event) => this.#contextMenu(event));
    const resized = () => {
      this.#asked = undefined;
      this.#place();
    };
    addEventListener('resize', resized);
    new ResizeObserver(resized).observe(terminal.element);
    terminal.element.addEventListener('scroll', () => this.#place(), { passive: true });
  }

  /**
   * @param isFinger places it beside the selection; after a mouse selection it is below the screen or at a right click
   */
  show(isFinger: boolean): void {
    this.#isFinger = isFinger;
    this.#asked = undefined;
    this.#bar.hidden = this.#selection.area === undefined;
    this.#place();
  }

  hide(): void {
    this.#bar.hidden = true;
  }

  /** Replaces the browser's menu, which does not know the selection and could not copy it. */
  #contextMenu(event: MouseEvent): void {
    const { area } = this.#selection;
    const { clientX: x, clientY: y, button } = event;
    if (area === undefined || button !== SECONDARY_BUTTON) return;
    const { left, right, top, bottom } = this.#overlay.boxOf(area);
    if (x < left || x > right || y < top || y > bottom) return;
    event.preventDefault();
    this.show(false);
    this.#asked = { x, y };
    this.#place();
  }

  #place(): void {
    const { area } = this.#selection;
    const bar = this.#bar;
    if (area === undefined || bar.hidden) return;
    const box = this.#overlay.boxOf(area);
    bar.classList.toggle('touched', this.#isFinger);
    const { offsetWidth, offsetHeight, style } = bar;
    const most = innerHeight - offsetHeight;
    const below = box.bottom + GAP;
    const beside = below < most ? below : Math.max(GAP, box.top - offsetHeight - GAP);
    const besideOrBelow = this.#isFinger ? beside : Math.min(most, this.#screen.getBoundingClientRect().bottom);
    const top = this.#asked === undefined ? besideOrBelow : Math.min(most, this.#asked.y);
    const left = Math.max(GAP, Math.min(this.#asked?.x ?? box.left, innerWidth - offsetWidth - GAP));
    style.left = `${left}px`;
    style.top = `${top}px`;
  }
}
