import type { Actions } from '../action-registry.js';
import type { KeyMap } from '../keys/key-map.js';
import type { Terminal } from '../terminal.js';
import { Copying } from './copy-actions.js';
import { HotspotPointer } from './hotspot-pointer.js';
import { Pasting } from './paste-actions.js';
import { ScreenOverlay } from './screen-overlay.js';
import { screenTools } from './screen-tools.js';
import { ScrollGestures } from './scroll-gestures.js';
import { SelectionBar } from './selection-bar.js';
import { SelectionHandles } from './selection-handles.js';
import { dropSelectionByKeys } from './selection-keys.js';
import { SelectionPointer } from './selection-pointer.js';
import { textAction } from './text-actions.js';
import { TextSelection } from './text-selection.js';

interface TextOptions {
  readonly terminal: Terminal;
  readonly actions: Actions;
  readonly keyMap: KeyMap;
}

export function addTextControls({ terminal, actions, keyMap }: TextOptions): void {
  const overlay = new ScreenOverlay(terminal);
  let bar: SelectionBar | undefined;
  let handles: SelectionHandles | undefined;
  const selection = new TextSelection(terminal, overlay, () => {
    bar?.hide();
    handles?.follow();
  });
  bar = new SelectionBar(terminal, actions, overlay, selection);
  const shown = bar;
  handles = new SelectionHandles(overlay, selection);
  const touched = handles;
  // this order matters: after a drag, no label must be clicked
  new SelectionPointer(terminal, overlay, selection, (isFinger) => {
    shown.show(isFinger);
    if (isFinger) touched.show();
  });
  const hotspots = new HotspotPointer(terminal, overlay, () => terminal.settings.get('hotspots'));
  new ScrollGestures(
    terminal,
    () => hotspots.labels,
    () => terminal.settings.get('wheel'),
  );
  actions.add(
    ...new Copying(terminal, selection, () => shown.hide()).actions(),
    ...new Pasting(terminal).actions(),
    ...screenTools({ terminal, actions, keyMap, overlay }),
    textAction('selectAll', () => selection.selectAll()),
    textAction('selectLeft', () => selection.extend('Left')),
    textAction('selectRight', () => selection.extend('Right')),
    textAction('selectUp', () => selection.extend('Up')),
    textAction('selectDown', () => selection.extend('Down')),
    textAction('followLabel', () => hotspots.followAtCursor()),
  );
  dropSelectionByKeys(selection, keyMap);
}

export type TextControls = typeof addTextControls;
