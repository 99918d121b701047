import { beforeEach, expect, test, vi } from 'vitest';
import { importFiles, takePicked, usePicked } from '../../../../renderer/stores/picked-files.ts';

vi.mock('../../../../renderer/router.ts', () => ({ goTo: () => {} }));
beforeEach(takePicked);

const file = (name: string) => new File([''], name);
const picked = () => {
  const { picked: now } = usePicked.getState();
  return now && [now.project_id, now.device_id, now.files.map(({ name }) => name)];
};

test('files that come one after the other, as a desktop hands over several, all wait for the import screen', () => {
  for (const name of ['a.csv', 'b.csv', 'c.csv']) importFiles('line 2', [file(name)]);
  expect(picked()).toEqual(['line 2', null, ['a.csv', 'b.csv', 'c.csv']]);
  takePicked();
  importFiles('line 2', [file('d.csv')]);
  expect(picked()).toEqual(['line 2', null, ['d.csv']]);
});

test('files for another place are not mixed with those that wait', () => {
  importFiles('line 2', [file('a.csv')]);
  importFiles('line 2', [file('b.csv')], 'pump');
  expect(picked()).toEqual(['line 2', 'pump', ['b.csv']]);
});
