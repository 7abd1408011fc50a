import type { Macro } from '../../../src/macros/macro-set.js';
import { words } from '../words/words.js';
import { button, make, openDialog } from './dialog.js';
import { hotKeySign } from './macro-dialogs.js';
import type { MacroGroup, MacroStore } from './macro-store.js';

export interface ListActions {
  readonly isRecording: () => boolean;
  notice(): string;
  record(): void;
  run(macro: Macro): void;
  step(macro: Macro): void;
  edit(macro: Macro): Promise<void>;
  view(macro: Macro): Promise<void>;
  rename(macro: Macro): Promise<void>;
  remove(macro: Macro): Promise<void>;
  publish(macro: Macro): Promise<void>;
  saveAs(macro: Macro): Promise<void>;
  /** Undefined in centralized mode. */
  readonly importFile: ((file: File) => Promise<void>) | undefined;
  readonly exportFile: (() => void) | undefined;
}

const FEW = 10;

/** @returns when the list is closed; true if a macro or a recording has started */
export async function showMacroList(store: MacroStore, actions: ListActions): Promise<boolean> {
  const place = make('div', { className: 'groups' });
  const notice = make('p', { className: 'notice' });
  notice.setAttribute('role', 'status');
  const search = make('input', {
    type: 'search',
    placeholder: words('list.search'),
    ariaLabel: words('list.searchLabel'),
  });
  const title = words(store.isCentralized ? 'macros.title.centralized' : 'macros.title.local');
  let opened: { readonly group: string; readonly name: string } | undefined;
  const options = { title, className: 'macros', focus: () => place.querySelector('button') ?? undefined };
  const answer = await openDialog<true>(options, (close, leave) => {
    const show = () => {
      const count = store.groups.reduce((sum, { macros }) => sum + macros.length, 0);
      search.hidden = count <= FEW;
      if (search.hidden) search.value = '';
      if (notice.textContent !== actions.notice()) notice.textContent = actions.notice();
      const focused = place.contains(document.activeElement) ? document.activeElement : null;
      const sought = search.value.trim().toLowerCase();
      place.replaceChildren(
        ...store.groups
          .filter(({ macros, isOwn }) => macros.length > 0 || isOwn)
          .map((group) => groupElement(group, sought)),
      );
      if (focused !== null) focusLike(focused);
    };
    store.changed = show;
    search.addEventListener('input', show);
    show();

    function groupElement(group: MacroGroup, sought: string): HTMLElement {
      const list = make('ul', { ariaLabel: group.title });
      const found = group.macros.filter(({ name }) => name.toLowerCase().includes(sought));
      list.append(...found.map((macro) => entryElement(group, macro)));
      const nothing = words(group.macros.length === 0 ? 'list.none' : 'list.noneFound');
      const heading = store.groups.length > 1 ? make('h3', {}, group.title) : undefined;
      return make('section', {}, heading, found.length === 0 ? make('p', { className: 'quiet' }, nothing) : list);
    }

    function entryElement(group: MacroGroup, macro: Macro): HTMLElement {
      const isOpen = opened?.group === group.title && opened.name === macro.name;
      const run = () => {
        close(true);
        actions.run(macro);
      };
      const step = () => {
        close(true);
        actions.step(macro);
      };
      /** The list was drawn again: moves the focus to the entry at the same place. */
      const afterwards = async (act: Promise<void>) => {
        await act;
        opened = undefined;
        show();
        focusEntry(group, macro.name);
      };
      const more = button(
        '⋯',
        () => {
          opened = isOpen ? undefined : { group: group.title, name: macro.name };
          show();
          focusEntry(group, macro.name);
        },
        { className: 'more', ariaLabel: words('list.more', { name: macro.name }), ariaExpanded: String(isOpen) },
      );
      const can = group.isOwn
        ? [
            button(words('list.run'), run),
            button(words('list.step'), step),
            button(words('list.edit'), () => void afterwards(actions.edit(macro))),
            button(words('list.rename'), () => void afterwards(actions.rename(macro))),
            button(words('list.saveAs'), () => void afterwards(actions.saveAs(macro))),
            store.publishing && button(words('list.publish'), () => void afterwards(actions.publish(macro))),
            button(words('answer.delete'), () => void afterwards(actions.remove(macro)), { className: 'leave' }),
          ]
        : [
            button(words('list.run'), run),
            button(words('list.step'), step),
            button(words('list.view'), () => void afterwards(actions.view(macro))),
            button(words('list.saveAsMine'), () => void afterwards(actions.saveAs(macro))),
          ];
      const entry = make(
        'li',
        {},
        button('▶', run, {
          className: 'run',
          ariaLabel: words('list.runOne', { name: macro.name }),
          title: words('list.runOne', { name: macro.name }),
        }),
        make('span', { className: 'name' }, macro.name),
        hotKeySign(macro),
        more,
        isOpen ? make('div', { className: 'entry-menu' }, ...can) : undefined,
      );
      entry.dataset.name = macro.name;
      entry.dataset.group = group.title;
      entry.addEventListener('contextmenu', (event) => {
        event.preventDefault();
        if (!isOpen) more.click();
      });
      return entry;
    }

    function focusLike(before: Element): void {
      const entry = before.closest('li')?.dataset;
      const same = [...place.querySelectorAll('button')].find((one) => {
        const { group, name } = one.closest('li')?.dataset ?? {};
        return one.textContent === before.textContent && group === entry?.group && name === entry?.name;
      });
      (same ?? record).focus();
    }

    function focusEntry(group: MacroGroup, name: string): void {
      const entries = [...place.querySelectorAll<HTMLElement>('li')].filter(
        ({ dataset }) => dataset.group === group.title,
      );
      const entry = entries.find(({ dataset }) => dataset.name === name) ?? entries[0];
      const target = entry?.querySelector<HTMLElement>('.more') ?? record;
      target.focus();
    }

    const record = button(words(actions.isRecording() ? 'list.endRecording' : 'list.record'), () => {
      close(true);
      actions.record();
    });
    return [
      button('✕', leave, { className: 'close', ariaLabel: words('answer.close') }),
      notice,
      search,
      place,
      make('div', { className: 'answers' }, record, ...furtherButtons(store, actions, place)),
    ];
  });
  store.changed = () => {};
  return answer === true;
}

function furtherButtons({ refresh }: MacroStore, { importFile, exportFile }: ListActions, place: HTMLElement) {
  const buttons: HTMLElement[] = [];
  if (refresh !== undefined) buttons.push(button(words('list.refresh'), () => void refresh()));
  if (importFile !== undefined) {
    const file = make('input', { type: 'file', accept: '.json,application/json', hidden: true });
    const take = (chosen: File | undefined) => {
      if (chosen !== undefined) void importFile(chosen);
    };
    file.addEventListener('change', () => {
      take(file.files?.[0]);
      file.value = '';
    });
    place.addEventListener('dragover', (event) => event.preventDefault());
    place.addEventListener('drop', (event) => {
      event.preventDefault();
      take(event.dataTransfer?.files[0]);
    });
    buttons.push(
      button(words('list.import'), () => file.click(), { title: words('list.importTip') }),
      file,
    );
  }
  if (exportFile !== undefined) buttons.push(button(words('list.export'), exportFile));
  return buttons;
}
