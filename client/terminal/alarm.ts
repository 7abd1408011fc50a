import { isUntouched } from './page-touch.js';

const SHOWN_MILLISECONDS = 400;
const HERTZ = 880;
const SECONDS = 0.15;
const LOUDNESS = 0.1;

/** One for the page: browsers limit their number. */
let audio: AudioContext | undefined;
/** End of the tone, in time of the audio context. */
let silentFrom = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Alarm of the host. The screen border lights up, and stays lit during repeated alarms to avoid flicker. */
export function ringAlarm({ classList }: HTMLElement, isHeard: boolean): void {
  classList.add('alarm');
  clearTimeout(timer);
  timer = setTimeout(() => classList.remove('alarm'), SHOWN_MILLISECONDS);
  if (isHeard) ring();
}

function ring(): void {
  // browsers block audio before the first user gesture, and log a warning
  if (isUntouched()) return;
  try {
    audio ??= new AudioContext();
    // a phone call or sleep has suspended it
    if (audio.state !== 'running') void audio.resume().catch(() => {});
    const { currentTime } = audio;
    if (currentTime < silentFrom) return;
    const tone = new OscillatorNode(audio, { frequency: HERTZ });
    tone.connect(new GainNode(audio, { gain: LOUDNESS })).connect(audio.destination);
    silentFrom = currentTime + SECONDS;
    tone.start();
    tone.stop(silentFrom);
  } catch {
    // no audio device: the border shows the alarm
  }
}
