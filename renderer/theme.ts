import {
  Alert,
  createTheme,
  Drawer,
  getDefaultZIndex,
  Menu,
  Modal,
  Notification,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** Layer of notices: beneath dialogs, whose buttons may reach into their corner in a small window, and above drawers, which have none there. */
export const NOTICES_LAYER = getDefaultZIndex('modal') - 1;

/** The product's colour: petrol, dark enough at 7 for white text (6.0:1). */
const petrol: MantineColorsTuple = [
  '#e7f6f9',
  '#d3ebf1',
  '#a6d6e2',
  '#75c0d2',
  '#4fadc5',
  '#379fba',
  '#1f8ea9',
  '#0b7285',
  '#0a6375',
  '#064f5e',
];

/** For what cannot be undone: at 7 white text on it, and it on white, has 6.2:1. */
const danger: MantineColorsTuple = [
  '#fdeeee',
  '#f9dcdc',
  '#f3b9b8',
  '#f29a98',
  '#ea7572',
  '#dc5450',
  '#c93a36',
  '#bb251d',
  '#ad211a',
  '#a01d16',
];

/** Greys with a little of the product's blue; 7 is the background, 6 that of fields and buttons. */
const dark: MantineColorsTuple = [
  '#e3e6e9',
  '#c8cdd2',
  '#a3aab2',
  '#7f8790',
  '#3f464d',
  '#33383e',
  '#282c31',
  '#1f2226',
  '#17191c',
  '#101214',
];

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: 7,
  colors: { petrol, danger, dark },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', monospace",
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  headings: { fontWeight: '600' },
  components: {
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: {
        title: { fontWeight: 600, lineHeight: 1.35, overflowWrap: 'anywhere' },
        // What gets the focus comes clear of the title and of the buttons.
        content: { scrollPadding: '64px 0 76px' },
      },
    }),
    // A stop in the menu that is no item of it: screen readers count it.
    Drawer: Drawer.extend({ defaultProps: { zIndex: NOTICES_LAYER - 1 } }),
    Menu: Menu.extend({
      defaultProps: { withInitialFocusPlaceholder: false },
      // As wide as the icon of an item beside it.
      styles: { itemIndicator: { width: 16, height: 16, marginInlineEnd: 'var(--mantine-spacing-xs)' } },
    }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    }),
    Alert: Alert.extend({
      styles: { title: { color: 'var(--mantine-color-text)' } },
      vars: ({ primaryColor }, { color = primaryColor }) => ({
        root: {
          '--alert-bg': `color-mix(in srgb, var(--mantine-color-${color}-filled) 10%, var(--mantine-color-body))`,
        },
      }),
    }),
  },
});

/** Mantine's quiet greys and reds miss WCAG AA (4.5:1) on its own backgrounds; these reach it. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1c2126',
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-danger-text': '#bb251d',
    '--app-focus': petrol[7],
    '--app-canvas': '#f5f7f8',
    '--app-line': '#dfe3e6',
    '--app-warning': '#8f5200',
  },
  dark: {
    '--mantine-color-placeholder': '#949ba3',
    '--mantine-color-error': '#ff8f8c',
    '--mantine-color-danger-text': '#ff8f8c',
    '--mantine-color-danger-light-color': '#ff8f8c',
    '--app-focus': petrol[4],
    '--app-canvas': '#17191c',
    '--app-line': '#33383e',
    '--app-warning': '#f5b54a',
  },
});
