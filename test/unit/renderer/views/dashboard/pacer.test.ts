import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../../../renderer/views/dashboard/live/pacer.ts';

/** Frames that are run by hand, and a clock that work moves on. */
function ground() {
  const frames: (() => void)[] = [];
  let now = 0;
  return {
    pacer: new Pacer({ frame: (work) => void frames.push(work), now: () => now }),
    take: (ms: number) => void (now += ms),
    frame: () => frames.shift()?.(),
    asked: () => frames.length,
  };
}

describe('widgets share frames', () => {
  test('each is drawn once, in the order in which they came, by its latest work', () => {
    const { pacer, frame, asked } = ground();
    const [a, b] = [{}, {}];
    const done: string[] = [];
    pacer.later(a, () => done.push('a, old'));
    pacer.later(b, () => done.push('b'));
    pacer.later(a, () => done.push('a'));
    expect([done, asked()]).toEqual([[], 1]);
    frame();
    expect([done, asked()]).toEqual([['a', 'b'], 0]);
  });

  test('what takes longer than a frame may is gone on with in the next one', () => {
    const { pacer, take, frame, asked } = ground();
    const done: number[] = [];
    for (let n = 0; n < 60; n++)
      pacer.later({}, () => {
        take(1);
        done.push(n);
      });
    frame();
    expect(done).toEqual([0, 1, 2]);
    let frames = 1;
    while (asked() > 0) {
      const before = done.length;
      frame();
      expect(done.length - before).toBeLessThanOrEqual(3);
      frames++;
    }
    expect(done).toEqual(Array.from({ length: 60 }, (_, n) => n));
    expect(frames).toBe(20);
  });

  test('one that throws keeps no other waiting', () => {
    const { pacer, frame } = ground();
    const done: string[] = [];
    pacer.later({}, () => {
      throw new Error('broken');
    });
    pacer.later({}, () => done.push('other'));
    expect(frame).toThrow('broken');
    frame();
    expect(done).toEqual(['other']);
  });

  test('what is dropped is not drawn any more', () => {
    const { pacer, frame } = ground();
    const [a, b] = [{}, {}];
    const done: string[] = [];
    pacer.later(a, () => done.push('a'));
    pacer.later(b, () => done.push('b'));
    pacer.drop(a);
    frame();
    expect(done).toEqual(['b']);
  });
});
