import { expect, shot, test } from '../app.ts';

test('the app opens and reaches its service', async ({ page, api }) => {
  await expect(page).toHaveTitle(/Fieldbench/);
  await expect(page.getByRole('banner')).toBeVisible();
  const { status } = await api('GET', '/_local/v1/status');
  expect(status).toBe(200);
  await shot(page, 'start');
});
