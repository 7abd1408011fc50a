import { type HotspotLabel, hotspotAt, hotspotLabels } from '../model/hotspot-labels.js';
import { areaOf } from '../model/screen-area.js';
import type { Terminal } from '../terminal.js';
import { words } from '../words/words.js';
import type { ScreenOverlay } from './screen-overlay.js';

export class HotspotPointer {
  readonly #terminal: Terminal;
  readonly #overlay: ScreenOverlay;
  readonly #isOn: () => boolean;
  #labels: readonly HotspotLabel[] | undefined;
  #hovered: HotspotLabel | undefined;
  #pressed: HotspotLabel | undefined;

  constructor(terminal: Terminal, overlay: ScreenOverlay, isOn: () => boolean) {
    this.#terminal = terminal;
    this.#overlay = overlay;
    this.#isOn = isOn;
    const { element } = terminal;
    terminal.listen({
      refreshed: () => {
        this.#labels = undefined;
      },
      screen: () => this.#hover(undefined),
    });
    element.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') this.#hover(event.buttons === 0 ? this.#labelAt(event) : undefined);
    });
    element.addEventListener('pointerleave', () => this.#hover(undefined));
    element.addEventListener('pointerdown', (event) => {
      this.#pressed =
        event.button === 0 && !event.defaultPrevented && !event.shiftKey ? this.#labelAt(event) : undefined;
    });
    // dragging and long presses stop the event before
    element.addEventListener('pointerup', (event) => this.#up(event), { capture: true });
  }

  get labels(): readonly HotspotLabel[] {
    const { model } = this.#terminal;
    const { rows, columns, fields } = model;
    this.#labels ??= hotspotLabels({ rows, columns, fields, cells: model.cells() });
    return this.#labels;
  }

  followAtCursor(): void {
    const label = hotspotAt(this.labels, this.#terminal.model.cursor);
    if (label === undefined) this.#terminal.say(words('hotspot.none'));
    else this.#follow(label);
  }

  #labelAt({ clientX, clientY, target }: PointerEvent): HotspotLabel | undefined {
    const { isOver, view, element } = this.#terminal;
    if (!this.#isOn() || isOver) return undefined;
    // if the screen itself is the target, the pointer is beside the rows or captured by a drag
    if (target instanceof Element && target !== element && target.closest('.row') === null) return undefined;
    const position = view.positionAt(clientX, clientY);
    return position === undefined ? undefined : hotspotAt(this.labels, position);
  }

  #hover(label: HotspotLabel | undefined): void {
    if (label === this.#hovered) return;
    this.#hovered = label;
    const { columns } = this.#terminal.model;
    this.#terminal.element.classList.toggle('on-hotspot', label !== undefined);
    this.#overlay.draw('hotspot', label === undefined ? [] : [areaOf(label, columns)]);
  }

  #up(event: PointerEvent): void {
    const pressed = this.#pressed;
    this.#pressed = undefined;
    const label = this.#labelAt(event);
    if (pressed === undefined || label === undefined || label.position !== pressed.position) return;
    // the cursor does not move
    event.stopImmediatePropagation();
    this.#hover(undefined);
    this.#follow(label);
  }

  #follow(label: HotspotLabel): void {
    const terminal = this.#terminal;
    if (label.kind === 'link') {
      open(label.url, '_blank', 'noopener,noreferrer');
      return;
    }
    if (label.kind === 'key') {
      terminal.press(label.key);
      return;
    }
    const { user, model } = terminal;
    if (model.lock !== 0 || user.isOccupied) return;
    user.fill(label.field, label.text);
    if (model.lock === 0) user.send('ENTER');
  }
}
