const SHOWN_MILLISECONDS = 400;
const HERTZ = 880;
const SECONDS = 0.15;
const LOUDNESS = 0.1;

/** Of the page: browsers have few of them. */
let audio: AudioContext | undefined;

/** The alarm of the host: the edge of the screen lights up. */
export function ringAlarm({ classList }: HTMLElement, isHeard: boolean): void {
  classList.add('alarm');
  setTimeout(() => classList.remove('alarm'), SHOWN_MILLISECONDS);
  if (!isHeard) return;
  audio ??= new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: HERTZ });
  tone.connect(new GainNode(audio, { gain: LOUDNESS })).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + SECONDS);
}
