import { expect, test } from '../app.ts';
import { visit } from '../steps.ts';

test('the service screen says where secrets are kept, why, and what that means', async ({ page }) => {
  await visit(page, '#/service');
  await expect(page.getByText('Memory only: --vault memory says so')).toBeVisible();
  await expect(page.getByRole('alert', { name: 'Secrets' })).toContainText(
    'Keys and tokens are gone when the service stops.',
  );
});
