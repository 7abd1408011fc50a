import { isUntouched } from './page-touch.js';

const SHOWN_MILLISECONDS = 400;
const HERTZ = 880;
const SECONDS = 0.15;
const LOUDNESS = 0.1;

/** Of the page: browsers have few of them. */
let audio: AudioContext | undefined;
/** When the tone ends, by the clock of the audio. */
let silentFrom = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The alarm of the host: the edge of the screen lights up, and stays lit while one comes upon the other, as nothing may flicker. */
export function ringAlarm({ classList }: HTMLElement, isHeard: boolean): void {
  classList.add('alarm');
  clearTimeout(timer);
  timer = setTimeout(() => classList.remove('alarm'), SHOWN_MILLISECONDS);
  if (isHeard) ring();
}

/** One tone at a time, however many alarms the host sends. */
function ring(): void {
  // browsers let nobody be heard in a page that its user has not touched, and complain
  if (isUntouched()) return;
  try {
    audio ??= new AudioContext();
    // a call, or sleep, has interrupted it
    if (audio.state !== 'running') void audio.resume().catch(() => {});
    const { currentTime } = audio;
    if (currentTime < silentFrom) return;
    const tone = new OscillatorNode(audio, { frequency: HERTZ });
    tone.connect(new GainNode(audio, { gain: LOUDNESS })).connect(audio.destination);
    silentFrom = currentTime + SECONDS;
    tone.start();
    tone.stop(silentFrom);
  } catch {
    // no sound here: the alarm is seen
  }
}
