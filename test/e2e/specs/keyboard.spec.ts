import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../app.ts';

/* The main path without a mouse. */

/** Presses Tab until the focus is there, as far as a patient person would. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 40; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
  await expectVisibleFocus(page);
}

/** The focused element has an outline, or is a field with a border in the colour of the focus. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const shows = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'nothing has the focus';
      const { outlineStyle, outlineWidth, borderTopColor } = getComputedStyle(element);
      const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      const probe = document.createElement('i');
      probe.style.color = 'var(--input-bd-focus)';
      element.parentElement?.append(probe);
      const isBordered =
        element.matches('input, textarea') && getComputedStyle(probe).color === borderTopColor;
      probe.remove();
      return isOutlined || isBordered ? 'focus' : `no focus on ${element.outerHTML.slice(0, 120)}`;
    });
  // Borders take a moment to change their colour.
  await expect.poll(shows).toBe('focus');
}

test('a project and a device are made, found and deleted by keyboard alone', async ({ page }) => {
  const { keyboard } = page;
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  await expect(page.getByText('No projects yet')).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Fieldbench' }));
  await tabTo(page, page.getByRole('button', { name: 'Keyboard shortcuts' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  // Keys of the screen are silent under a dialog.
  await keyboard.press('n');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeFocused();
  await expectVisibleFocus(page);

  await keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expectVisibleFocus(page);
  await keyboard.type('Machine hall');
  await keyboard.press('Enter');
  // Who opens a screen is where it begins.
  await expect(heading('Machine hall')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keyboard.type('Press 4');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Open device' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(heading('Press 4')).toBeFocused();

  await tabTo(page, page.getByRole('tab', { name: 'Chart' }));
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('No records')).toBeVisible();
  // Tabs use the arrows, and leave the other keys to the screen.
  await keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('tab', { name: 'Table' })).toBeFocused();

  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toBeFocused();
  await keyboard.type('machine');
  await expect(page.getByRole('button', { name: 'Machine hall' })).toBeVisible();
  await keyboard.press('Enter');
  await expect(heading('Machine hall')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toHaveCount(0);
  await keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search devices' })).toBeFocused();
  await keyboard.type('press');
  await tabTo(page, page.getByRole('link', { name: 'Press 4' }));
  await keyboard.press('Enter');
  await expect(heading('Press 4')).toBeVisible();

  const more = page.getByRole('button', { name: 'More actions' });
  await tabTo(page, more);
  const remove = async () => {
    await keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Edit device…' })).toBeFocused();
    await keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Delete device…' })).toBeFocused();
    await keyboard.press('Enter');
  };
  await remove();
  const name = page.getByRole('textbox', { name: 'Type the name to confirm' });
  await expect(name).toBeFocused();
  await keyboard.press('Escape');
  await expect(name).toHaveCount(0);
  await expect(more).toBeFocused();
  await remove();
  await expect(page.getByRole('table', { name: 'What would be removed' })).toBeVisible();
  await expect(name).toBeFocused();
  await keyboard.type('Press 4');
  await keyboard.press('Enter');
  await expect(page.getByText('No devices yet')).toBeVisible();
  await expect(page.getByText('Device “Press 4” deleted')).toBeVisible();
  await expect(heading('Machine hall')).toBeFocused();
});
