import { button, choose, make, openDialog, problemPlace } from '../macros/dialog.js';
import { saveFile } from '../save-file.js';
import { userLocale } from '../words/locale.js';
import { words } from '../words/words.js';
import { TransferForm } from './transfer-form.js';
import { TransferError, TransferRequests } from './transfer-requests.js';

export interface TransferringTerminal {
  readonly path: string;
  isTransferring: boolean;
  refresh(): void;
}

const POLL_MILLISECONDS = 500;

/** Sends a file to the host or receives one. @param file preselected for sending @returns when the dialog is closed */
export async function openTransfer(terminal: TransferringTerminal, mostBytes: number, file?: File): Promise<void> {
  const transfer = new Transfer(terminal, mostBytes);
  const options = {
    title: words('transfer.title'),
    className: 'transfer',
    mayLeave: () => transfer.mayLeave(),
    focus: () => transfer.form.first,
  };
  await openDialog<undefined>(options, (_, leave) => transfer.content(leave, file));
}

class Transfer {
  readonly form: TransferForm;
  readonly #terminal: TransferringTerminal;
  readonly #requests: TransferRequests;
  readonly #problem = problemPlace();
  readonly #done = make('p', { className: 'notice' });
  readonly #bar = make('progress', { ariaLabel: words('transfer.progress') });
  readonly #counted = make('p', { className: 'quiet' });
  readonly #underWay = make('div', { className: 'under-way', hidden: true }, this.#bar, this.#counted);
  readonly #begin = button(words('transfer.begin'), () => void this.#run(), { className: 'main' });
  readonly #cancel = button(words('transfer.cancel'), () => void this.#stop(), { hidden: true });
  #running: Promise<void> | undefined;
  #isCancelling = false;

  constructor(terminal: TransferringTerminal, mostBytes: number) {
    this.#terminal = terminal;
    this.#requests = new TransferRequests(terminal.path);
    this.form = new TransferForm(mostBytes, () => this.#forget());
    this.#done.setAttribute('role', 'status');
  }

  content(leave: () => void, file: File | undefined): readonly Node[] {
    if (file !== undefined) this.form.take(file);
    const close = button(words('transfer.close'), leave);
    const answers = make('div', { className: 'answers' }, this.#begin, this.#cancel, close);
    const outcome = make('div', { className: 'outcome' }, this.#underWay, this.#problem, this.#done, answers);
    const form = make('form', { noValidate: true }, this.form.element, outcome);
    this.#begin.type = 'submit';
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('dragover', (event) => event.preventDefault());
    form.addEventListener('drop', (event) => {
      const [dropped] = event.dataTransfer?.files ?? [];
      event.preventDefault();
      if (dropped !== undefined && this.#running === undefined) this.form.take(dropped);
    });
    return [form];
  }

  async mayLeave(): Promise<boolean> {
    if (this.#running === undefined) return true;
    const answer = await choose(words('transfer.leaveTitle'), words('transfer.leaveText'), [
      ['cancel', words('transfer.cancel')],
      ['goOn', words('transfer.goOn')],
    ]);
    // the dialog stays open to show how the transfer ended
    if (answer !== 'cancel') return false;
    if (!(await this.#stop())) return false;
    await this.#running;
    return true;
  }

  #forget(): void {
    this.#problem.textContent = '';
    this.#done.textContent = '';
  }

  #run(): void {
    this.#forget();
    const fault = this.form.fault();
    if (fault !== undefined) {
      this.#problem.textContent = fault;
      return;
    }
    if (this.#running !== undefined) return;
    this.#isCancelling = false;
    this.#running = this.#transfer().finally(() => {
      this.#running = undefined;
      this.#show(false);
    });
    this.#show(true);
  }

  async #transfer(): Promise<void> {
    const { form } = this;
    const { file } = form;
    const timer = setInterval(() => void this.#look(), POLL_MILLISECONDS);
    this.#count(0, file?.size);
    try {
      if (file === undefined) {
        const received = await this.#requests.receive(form.choices());
        const name = form.nameHere();
        saveFile(received, name);
        this.#say(words('transfer.received', { bytes: inWords(received.size), name }));
      } else {
        const bytes = await this.#requests.send(form.choices(), file);
        this.#say(words('transfer.sent', { bytes: inWords(bytes), name: form.hostFile }));
      }
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      if (error.isCancelled) this.#say(words('transfer.cancelled'));
      else this.#problem.textContent = error.message;
    } finally {
      clearInterval(timer);
    }
  }

  /** If the server cannot be reached, the user can try again. */
  async #stop(): Promise<boolean> {
    const running = this.#running;
    this.#isCancelling = true;
    this.#problem.textContent = '';
    this.#cancel.disabled = true;
    this.#counted.textContent = words('transfer.cancelling');
    const isHeard = await this.#requests.cancel();
    if (isHeard || this.#running !== running) return true;
    this.#isCancelling = false;
    this.#cancel.disabled = false;
    this.#problem.textContent = words('transfer.notCancelled');
    void this.#look();
    return false;
  }

  async #look(): Promise<void> {
    const state = await this.#requests.state();
    if (state !== undefined && this.#running !== undefined && !this.#isCancelling) {
      this.#count(state.bytes, state.total);
    }
  }

  #count(bytes: number, total: number | undefined): void {
    if (total === undefined) {
      this.#bar.removeAttribute('value');
      this.#counted.textContent = words('transfer.bytes', { bytes: inWords(bytes) });
      return;
    }
    this.#bar.max = Math.max(total, 1);
    this.#bar.value = total === 0 ? 1 : bytes;
    this.#counted.textContent = words('transfer.bytesOf', { bytes: inWords(bytes), total: inWords(total) });
  }

  #say(text: string): void {
    this.#done.textContent = text;
  }

  #show(isRunning: boolean): void {
    this.form.element.disabled = isRunning;
    this.#underWay.hidden = !isRunning;
    this.#begin.hidden = isRunning;
    this.#cancel.hidden = !isRunning;
    this.#cancel.disabled = false;
    // suppresses the notice about a host that does not answer
    this.#terminal.isTransferring = isRunning;
    this.#terminal.refresh();
    (isRunning ? this.#cancel : this.#begin).focus();
  }
}

function inWords(bytes: number): string {
  return bytes.toLocaleString(userLocale());
}
