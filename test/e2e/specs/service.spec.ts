import type { ServiceStatus } from '#shared/operations/service.ts';
import { expect, test } from '../app.ts';
import { visit } from '../steps.ts';

test('the service screen says where secrets are kept, why, and what that means', async ({ page }) => {
  await visit(page, '#/service');
  await expect(page.getByText('Memory only: --vault memory says so')).toBeVisible();
  await expect(page.getByRole('alert', { name: 'Secrets' })).toContainText(
    'Keys and tokens are gone when the service stops.',
  );
});

test('the service screen scrolls where it has more than the window, and cuts nothing', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 500 });
  await visit(page, '#/service');
  const alert = page.getByRole('alert', { name: 'Secrets' });
  await expect(alert).toBeVisible();
  expect(await alert.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
});

test('the service screen says where devices publish', async ({ page, api }) => {
  const { data } = await api('GET', '/_local/v1/status');
  const { mqtt_url, mqtt_websocket_urls } = data as ServiceStatus;
  await visit(page, '#/service');
  const main = page.getByRole('main');
  await expect(main.getByRole('group', { name: 'MQTT, on this machine only' })).toHaveText(mqtt_url ?? '');
  await expect(main).toContainText('--mqtts-port 8883 opens it');
  await expect(main.getByRole('group', { name: 'MQTT over WebSocket' })).toHaveText(mqtt_websocket_urls);
});
