import { submitOnce } from '../form/submit-once.js';
import { uploadByScript } from './macro-upload.js';
import { makePasswordsWith } from './password-maker.js';

/** Only dropping files needs this script. */
submitOnce();
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) uploadByScript(form);
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-make-password]'))
  makePasswordsWith(button);
