import { words } from '../words/words.js';
import { button, make } from './dialog.js';
import type { StepDecision } from './model/macro-player.js';

interface StepPort {
  focus(): void;
}

interface StepBar {
  next(line: string, step: number, over: AbortSignal): Promise<StepDecision>;
  close(): void;
}

export function openStepBar(name: string, port: StepPort): StepBar {
  const state = make('span', { className: 'words' });
  state.setAttribute('role', 'status');
  let decide: ((decision: StepDecision) => void) | undefined;
  const buttons = [
    button(words('step.next'), () => decide?.('playOne'), { className: 'main' }),
    button(words('step.rest'), () => decide?.('playOn')),
    button(words('ask.stop'), () => decide?.('stop'), { className: 'leave' }),
  ];
  const bar = make(
    'section',
    { className: 'recording-bar', ariaLabel: words('step.bar', { name }) },
    state,
    make('span', { className: 'tools' }, ...buttons),
  );
  const enable = (isEnabled: boolean) => {
    for (const one of buttons) one.disabled = !isEnabled;
  };
  enable(false);
  document.querySelector('main')?.prepend(bar);
  return {
    next: (line, step, over) =>
      new Promise((resolve) => {
        const finish = (decision: StepDecision) => {
          decide = undefined;
          over.removeEventListener('abort', stop);
          enable(false);
          port.focus();
          resolve(decision);
        };
        const stop = () => finish('stop');
        over.addEventListener('abort', stop);
        decide = finish;
        state.textContent = words('step.shown', { step, line });
        enable(true);
        buttons[0]?.focus();
      }),
    close: () => bar.remove(),
  };
}
