import { expect } from 'chai';
import { workspaceKey } from '../../client/sessions/workspace-keys.js';
import { readSavedTabs, WorkspaceTabs } from '../../client/sessions/workspace-tabs.js';

const MOST_TABS = 16;

function withTabs(count: number): WorkspaceTabs {
  const tabs = new WorkspaceTabs();
  for (let tab = 1; tab <= count; tab++) tabs.add(tab);
  return tabs;
}

const stateOf = ({ all, seen, active }: WorkspaceTabs) => ({ all, seen, active });

describe('the tabs of the sessions page', () => {
  it('show the one that has the keyboard', () => {
    const tabs = withTabs(3);
    expect(stateOf(tabs)).to.deep.equal({ all: [1, 2, 3], seen: [3], active: 3 });
    tabs.activate(1);
    expect(stateOf(tabs)).to.deep.equal({ all: [1, 2, 3], seen: [1], active: 1 });
    tabs.activate(7);
    expect(tabs.active, 'one that is not there').to.equal(1);
  });

  it('go round by steps, and are chosen by their place; 9 is the last', () => {
    const tabs = withTabs(3);
    tabs.step(1);
    expect(tabs.active).to.equal(1);
    tabs.step(-1);
    expect(tabs.active).to.equal(3);
    tabs.choose(2);
    expect(tabs.active).to.equal(2);
    tabs.choose(9);
    expect(tabs.active).to.equal(3);
    tabs.choose(4);
    expect(tabs.active, 'there is no fourth').to.equal(3);
  });

  it('are seen side by side, and another one takes the place of the one in use', () => {
    const tabs = withTabs(4);
    tabs.activate(1);
    tabs.divide(2);
    expect(stateOf(tabs)).to.deep.equal({ all: [1, 2, 3, 4], seen: [1, 2], active: 1 });
    tabs.activate(2);
    expect(tabs.seen, 'both are seen already').to.deep.equal([1, 2]);
    tabs.activate(4);
    expect(tabs.seen).to.deep.equal([1, 4]);
    tabs.divide(3);
    expect(tabs.seen).to.deep.equal([1, 4, 2]);
    tabs.divide(1);
    expect(stateOf(tabs), 'the one in use stays').to.deep.equal({ all: [1, 2, 3, 4], seen: [4], active: 4 });
  });

  it('are one to three side by side, whatever is asked for', () => {
    const tabs = withTabs(4);
    for (const [asked, given] of [
      [0, 1],
      [-1, 1],
      [3, 3],
      [4, 3],
      [2.7, 2],
    ] as const) {
      tabs.divide(asked);
      expect(tabs.panes, String(asked)).to.equal(given);
    }
  });

  it('that are closed leave their place to their neighbour', () => {
    const tabs = withTabs(3);
    tabs.activate(2);
    tabs.remove(2);
    expect(stateOf(tabs)).to.deep.equal({ all: [1, 3], seen: [3], active: 3 });
    tabs.remove(3);
    tabs.remove(3);
    expect(stateOf(tabs)).to.deep.equal({ all: [1], seen: [1], active: 1 });
    tabs.remove(1);
    expect(stateOf(tabs)).to.deep.equal({ all: [], seen: [], active: undefined });
    tabs.step(1);
    expect(tabs.active).to.equal(undefined);
  });

  it('that are closed side by side let the next one be seen', () => {
    const tabs = withTabs(3);
    tabs.activate(1);
    tabs.divide(2);
    tabs.remove(1);
    expect(tabs.seen).to.have.members([2, 3]);
    expect(tabs.seen).to.include(tabs.active);
    tabs.remove(2);
    expect(stateOf(tabs)).to.deep.equal({ all: [3], seen: [3], active: 3 });
  });

  it('are 16 at most', () => {
    const tabs = withTabs(MOST_TABS);
    expect([tabs.all.length, tabs.isFull]).to.deep.equal([16, true]);
    expect(tabs.add(17)).to.equal(false);
    expect(tabs.all).to.have.length(16);
  });

  it('are kept over a reload: those that have a session, in their order', () => {
    const tabs = withTabs(3);
    tabs.divide(2);
    const labels = new Map([
      [1, 'AAAAAAAA'],
      [3, 'CCCCCCCC'],
    ]);
    const saved = tabs.saved((tab) => labels.get(tab));
    expect(saved).to.deep.equal({ labels: ['AAAAAAAA', 'CCCCCCCC'], active: 'CCCCCCCC', panes: 2 });
    expect(readSavedTabs(JSON.stringify(saved))).to.deep.equal(saved);
  });

  it('are none where what was kept is somebody else’s', () => {
    for (const text of [null, '', 'null', '[]', '7', '{"labels":{},"active":1,"panes":"2"}', '{"labels":[1,{}]}']) {
      expect(readSavedTabs(text), String(text)).to.deep.equal({ labels: [], active: undefined, panes: 1 });
    }
  });

  it('are led by keys with Ctrl and Alt, and AltGr writes characters', () => {
    const key = (code: string, further: object = {}) =>
      workspaceKey({
        ctrlKey: true,
        altKey: true,
        shiftKey: false,
        metaKey: false,
        code,
        getModifierState: () => false,
        ...further,
      });
    expect(key('ArrowRight')).to.deep.equal({ kind: 'step', by: 1 });
    expect(key('ArrowLeft')).to.deep.equal({ kind: 'step', by: -1 });
    expect(key('Digit3')).to.deep.equal({ kind: 'choose', place: 3 });
    expect(key('KeyS')).to.deep.equal({ kind: 'divide' });
    expect(key('KeyN')).to.deep.equal({ kind: 'new' });
    for (const none of [{ ctrlKey: false }, { altKey: false }, { shiftKey: true }, { metaKey: true }]) {
      expect(key('ArrowRight', none), JSON.stringify(none)).to.equal(undefined);
    }
    expect(key('Digit3', { getModifierState: (name: string) => name === 'AltGraph' })).to.equal(undefined);
    expect([key('Digit0'), key('KeyX')]).to.deep.equal([undefined, undefined]);
  });
});
