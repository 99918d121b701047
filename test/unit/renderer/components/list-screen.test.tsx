import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { ListScreen } from '../../../../renderer/components/screen/list-screen.tsx';
import type { Resource } from '../../../../renderer/stores/resource.ts';

vi.mock('../../../../renderer/bridge/bridge.ts', () => ({ bridge: {} }));

interface Row {
  readonly id: string;
}

/** What a list of API keys shows at first. */
function shown(list: Resource<readonly Row[]>): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <ListScreen
        title="API keys"
        noun="API key"
        shown={{}}
        onShow={() => {}}
        list={list}
        onRetry={() => {}}
        onNew={() => {}}
        isFound={() => true}
        columns={[{ id: 'name', header: 'Name', width: '1fr', cell: ({ id }) => id }]}
        empty="No API keys yet"
      />
    </MantineProvider>,
  );
}

const SEARCH = 'aria-label="Search API keys"';
const LOADING = 'aria-label="Loading API keys"';
const TABLE = 'aria-label="API keys"';

test('a list that is on its way keeps the place of its search', () => {
  const page = shown({ value: null, error: null });
  expect(page).toContain(LOADING);
  expect(page.indexOf(SEARCH)).toBeGreaterThan(page.indexOf('</header>'));
  expect(page).toContain('New API key');
});

test('a list with rows is a table below its search', () => {
  const page = shown({ value: [{ id: 'a' }, { id: 'b' }], error: null });
  expect(page.indexOf(TABLE)).toBeGreaterThan(page.indexOf(SEARCH));
  expect(page).toContain('aria-rowcount="3"');
  expect(page).not.toContain(LOADING);
  expect(page).not.toContain('No API key');
});

test('a list without rows says what to do', () => {
  const page = shown({ value: [], error: null });
  expect(page).toContain('No API keys yet');
  expect(page).not.toContain(TABLE);
});

test('a list that cannot be read says why, and what was read before stays', () => {
  const nothing = shown({ value: null, error: 'No such account.' });
  expect(nothing).toContain('No such account.');
  for (const absent of [SEARCH, LOADING, TABLE, 'No API keys yet']) expect(nothing).not.toContain(absent);
  const old = shown({ value: [{ id: 'a' }], error: 'The connection was lost.' });
  expect(old).toContain('The connection was lost.');
  expect(old).toContain(TABLE);
  expect(old).toContain(SEARCH);
});
