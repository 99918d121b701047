/* The sound of an alarm: two tones, made by the browser. */

const TONES_HZ = [880, 659] as const;
const TONE_S = 0.22;
const LOUD = 0.2;

let context: AudioContext | null = null;

/**
 * Plays it once. Of several windows of one browser one does. A browser that lets no page sound before somebody has pressed
 * something in it stays silent until then.
 */
export async function playSound(): Promise<void> {
  // Only pages of a secure connection have locks.
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks) await locks.request('fieldbench-alarm-sound', { ifAvailable: true }, play);
  else await play(undefined);
}

/** Plays; a lock of null: another window does. */
async function play(lock: unknown): Promise<void> {
  if (lock === null) return;
  const audio = (context ??= new AudioContext());
  if (audio.state === 'suspended') await audio.resume();
  const gain = new GainNode(audio, { gain: 0 });
  gain.connect(audio.destination);
  const begin = audio.currentTime;
  const ends = TONES_HZ.map((frequency, at) => {
    const tone = new OscillatorNode(audio, { frequency });
    tone.connect(gain);
    tone.start(begin + at * TONE_S);
    tone.stop(begin + (at + 1) * TONE_S);
    return new Promise((resolve) => tone.addEventListener('ended', resolve));
  });
  const end = begin + TONES_HZ.length * TONE_S;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(LOUD, begin + 0.02);
  gain.gain.setValueAtTime(LOUD, end - 0.06);
  gain.gain.linearRampToValueAtTime(0, end);
  await Promise.all(ends);
  gain.disconnect();
}
