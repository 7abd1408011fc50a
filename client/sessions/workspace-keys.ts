type WorkspaceKey =
  | { readonly kind: 'step'; readonly by: 1 | -1 }
  | { readonly kind: 'choose'; readonly place: number }
  | { readonly kind: 'divide' }
  | { readonly kind: 'new' };

interface PressedKey {
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  readonly code: string;
  getModifierState(name: string): boolean;
}

/** Tab commands by key, in any terminal. AltGr is excluded: it reports Ctrl+Alt but types characters. */
export function workspaceKey(event: PressedKey): WorkspaceKey | undefined {
  const { ctrlKey, altKey, shiftKey, metaKey, code } = event;
  if (!ctrlKey || !altKey || shiftKey || metaKey || event.getModifierState('AltGraph')) return undefined;
  if (code === 'ArrowRight' || code === 'PageDown') return { kind: 'step', by: 1 };
  if (code === 'ArrowLeft' || code === 'PageUp') return { kind: 'step', by: -1 };
  if (code === 'KeyN') return { kind: 'new' };
  if (code === 'KeyS') return { kind: 'divide' };
  const place = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1];
  return place === undefined ? undefined : { kind: 'choose', place: Number(place) };
}
