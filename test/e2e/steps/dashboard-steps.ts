import type { Locator, Page } from '@playwright/test';
import { expect } from '../app.ts';
import type { Api } from '../api.ts';
import { expectDone, visit, type DeviceIds } from './steps.ts';

export interface GivenWidget {
  readonly title: string;
  readonly type: string;
  readonly sources?: readonly { readonly device_id: string; readonly key: string }[];
  readonly layout?: object;
  readonly range?: object;
}

export const widgetsPath = (project_id: string) => `/_local/v1/projects/${project_id}/widgets`;

export async function makeWidget(api: Api, project_id: string, widget: GivenWidget): Promise<string> {
  const body = { sources: [], ...widget };
  const { data } = await expectDone(api('POST', widgetsPath(project_id), { body }));
  return (data as { id: string }).id;
}

/** The place that the service has of each widget, by its title. */
export async function placesIn(api: Api, project_id: string): Promise<Record<string, string>> {
  const { data } = await expectDone(api('GET', widgetsPath(project_id)));
  const all = data as { title: string; layout: Record<'x' | 'y' | 'w' | 'h', number> }[];
  return Object.fromEntries(
    all.map(({ title, layout: { x, y, w, h } }) => [title, x === undefined ? '' : `${x} ${y} ${w} ${h}`]),
  );
}

export const widgetOf = (page: Page, title: string): Locator =>
  page.locator('[data-widget]').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

export const sourcesOf = (key: string, ...devices: readonly DeviceIds[]) =>
  devices.map(({ device_id }) => ({ device_id, key }));

export async function visitDashboard(page: Page, project_id: string, query = ''): Promise<void> {
  await visit(page, `#/projects/${project_id}/dashboard${query}`);
  await expect(page.getByTestId('dashboard')).toBeVisible();
}

/** Drags what is found by so many pixels. */
export async function dragBy(page: Page, what: Locator, x: number, y: number): Promise<void> {
  const box = await what.boundingBox();
  if (!box) throw new Error('What is to be dragged is not on the page.');
  const [left, top] = [box.x + Math.min(20, box.width / 2), box.y + box.height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  for (const share of [0.3, 0.7, 1]) await page.mouse.move(left + x * share, top + y * share);
  await page.mouse.up();
}
