import { filled } from '../../src/lib/text/catalogue-text.js';
import { uploadWords } from './upload-words.js';

interface UploadReply {
  readonly next?: string;
  readonly message?: string;
  /** The message in the language of the page, if that is not English. */
  readonly words?: string;
}

const FILE_FIELD = 'file';

/**
 * Sends an upload form by script, and accepts dropped files. After an error the page and the chosen file stay.
 * `data-upload` is the size limit in bytes.
 */
export function uploadByScript(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>(`input[name="${FILE_FIELD}"]`);
  const mostBytes = Number(form.dataset.upload);
  const hint = document.createElement('p');
  hint.className = 'quiet hint';
  hint.textContent = uploadWords().dropHere;
  const progress = document.createElement('progress');
  progress.max = 1;
  progress.hidden = true;
  progress.setAttribute('aria-label', uploadWords().upload);
  form.append(hint, progress);
  form.classList.add('drop-zone');
  let isSending = false;

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    upload(input?.files ?? undefined);
  });
  // without this the browser opens files dropped beside the form
  for (const name of ['dragover', 'drop'] as const) {
    document.addEventListener(name, (event) => event.preventDefault());
  }
  form.addEventListener('dragover', () => form.classList.add('is-over'));
  form.addEventListener('dragleave', () => form.classList.remove('is-over'));
  form.addEventListener('drop', (event) => {
    form.classList.remove('is-over');
    upload(event.dataTransfer?.files);
  });

  function upload(files: FileList | undefined): void {
    if (isSending) return;
    const file = files?.[0];
    const fault = faultOf(files, mostBytes);
    tell(fault ?? '');
    if (file === undefined || fault !== undefined) return;
    const body = new FormData(form);
    body.set(FILE_FIELD, file, file.name);
    show(true);
    void send(form.action, body, (part) => {
      progress.value = part;
    })
      .then((next) => location.assign(next))
      .catch((error: Error) => {
        show(false);
        tell(error.message);
      });
  }

  function show(sending: boolean): void {
    isSending = sending;
    progress.hidden = !sending;
    progress.value = 0;
    form.setAttribute('aria-busy', String(sending));
  }
}

function faultOf(files: FileList | undefined, mostBytes: number): string | undefined {
  const [file, ...others] = files ?? [];
  if (file === undefined) return uploadWords().chooseOne;
  if (others.length > 0) return uploadWords().onlyOne;
  if (file.size <= mostBytes) return undefined;
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  return filled(uploadWords().tooLarge, { bytes: numbers.format(file.size), most: numbers.format(mostBytes) });
}

/**
 * @returns the address to go to
 * @throws Error with a message for the user
 */
function send(address: string, body: FormData, tellProgress: (part: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    // fetch does not report upload progress
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('Accept', 'application/json');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => tellProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('error', () => reject(new Error(uploadWords().notSent)));
    request.addEventListener('load', () => {
      const reply = (request.response ?? {}) as UploadReply;
      if (request.status === 200 && reply.next !== undefined) resolve(reply.next);
      else if (request.status === 401) reject(new Error(uploadWords().signedOff));
      else
        reject(new Error(reply.words ?? reply.message ?? filled(uploadWords().answered, { status: request.status })));
    });
    request.send(body);
  });
}

function tell(message: string): void {
  const place = document.querySelector<HTMLElement>('[role="alert"]');
  if (place === null) return;
  place.textContent = message;
  if (message !== '') place.scrollIntoView({ block: 'nearest' });
}
