import { describe, expect, test } from 'vitest';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { durationText, parseDuration } from '../../../../../../renderer/components/facts/duration-words.ts';
import { draftOf, settingsOf } from '../../../../../../renderer/views/device/keys/key-draft.ts';

describe('durations', () => {
  test.each([
    ['90', 90],
    ['30 s', 30],
    ['50 min', 3_000],
    ['1.5 h', 5_400],
    ['1,5h', 5_400],
    ['2 h 5 min', 7_500],
    ['1 d', 86_400],
    ['250 ms', 0.25],
  ])('%j is read as %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each(['', 'soon', '5 weeks', '-3 s', 's', '1 h and 2 min'])('%j is none', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  test.each([0.25, 1, 59, 60, 61, 3_600, 7_500, 86_400, 90_061, 0.001])(
    '%d seconds are read again as they are written',
    (seconds) => {
      expect(parseDuration(durationText(seconds))).toBe(seconds);
    },
  );
});

describe('a draft of settings', () => {
  test('means the settings that it was made of', () => {
    const settings = { ...NO_SETTINGS, unit: '°C', decimals: 0, low: -1.5, high: 1e6, longest_gap_s: 3_000 };
    expect(settingsOf(draftOf(settings))).toEqual({ settings });
    expect(settingsOf(draftOf(NO_SETTINGS))).toEqual({ settings: NO_SETTINGS });
  });

  test('says of each field what is wrong with it', () => {
    const draft = { ...draftOf(NO_SETTINGS), decimals: '1.5', low: 'low', gap: 'soon', unit: 'x'.repeat(17) };
    expect(settingsOf(draft)).toEqual({
      problems: {
        unit: 'At most 16 characters.',
        decimals: 'A whole number from 0 to 9, or nothing.',
        low: 'A number, or nothing.',
        gap: 'A time such as 30 s, 50 min or 2 h, of at most ten years, or nothing.',
      },
    });
    expect(settingsOf({ ...draftOf(NO_SETTINGS), low: '3', high: '2' })).toEqual({
      problems: { high: 'Not below 3.' },
    });
  });

  test('takes numbers as people write them', () => {
    const draft = { ...draftOf(NO_SETTINGS), low: '−2,5', high: ' 1e3 ' };
    expect(settingsOf(draft)).toMatchObject({ settings: { low: -2.5, high: 1_000 } });
    const copied = { ...draftOf(NO_SETTINGS), low: '1,013.25', high: '12,345,679,300' };
    expect(settingsOf(copied)).toMatchObject({ settings: { low: 1_013.25, high: 12_345_679_300 } });
  });

  test('asks what a comma before three digits is, as the app itself writes thousands', () => {
    expect(settingsOf({ ...draftOf(NO_SETTINGS), high: '1,013' })).toEqual({
      problems: { high: '“1,013” may be 1013 or 1.013: write one of these.' },
    });
    expect(settingsOf({ ...draftOf(NO_SETTINGS), high: '0,125' })).toMatchObject({
      settings: { high: 0.125 },
    });
  });
});
