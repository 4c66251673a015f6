import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";
import { StillButton } from "./still-button.tsx";

/** Single shades aren't used: the tokens cover both color schemes. */
const alike = (name: string) => Array.from({ length: 10 }, () => `var(--${name})`) as unknown as MantineColorsTuple;

const variantColorResolver: VariantColorsResolver = (input) => {
  const plain = defaultVariantColorsResolver(input);
  const color = input.color ?? input.theme.primaryColor;
  if (input.variant === "filled" && color === "accent")
    return { ...plain, background: "var(--accent)", hover: "var(--accent-press)", color: "var(--on-accent)" };
  if (input.variant === "filled" && color === "test")
    return { ...plain, background: "var(--test)", hover: "var(--test)", color: "var(--on-test)" };
  if (input.variant === "filled" && color === "failed")
    return { ...plain, background: "var(--failed)", hover: "var(--failed)", color: "var(--n1)" };
  return plain;
};

/** The tokens of web/tokens.css under the names that the components use. */
export const variables: CSSVariablesResolver = () => {
  const soft = Object.fromEntries(
    ["accent", "test", "failed", "paid", "waiting", "expired"].flatMap((name) => [
      [`--mantine-color-${name}-light`, `var(--${name}-soft)`],
      [`--mantine-color-${name}-light-hover`, `var(--${name}-soft)`],
      [`--mantine-color-${name}-light-color`, `var(--${name})`],
      [`--mantine-color-${name}-outline`, `var(--${name})`],
      [`--mantine-color-${name}-text`, `var(--${name})`],
    ]),
  );
  const both = {
    "--mantine-color-body": "var(--n1)",
    "--mantine-color-text": "var(--n12)",
    "--mantine-color-bright": "var(--n12)",
    "--mantine-color-dimmed": "var(--n10)",
    "--mantine-color-placeholder": "var(--n10)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-color-error": "var(--failed)",
    "--mantine-color-default": "var(--n1)",
    "--mantine-color-default-hover": "var(--n3)",
    "--mantine-color-default-color": "var(--n12)",
    "--mantine-color-default-border": "var(--n6)",
    "--mantine-color-disabled": "var(--n3)",
    "--mantine-color-disabled-color": "var(--n10)",
    "--mantine-color-disabled-border": "var(--n5)",
    "--mantine-primary-color-contrast": "var(--on-accent)",
    ...soft,
  };
  return { variables: {}, light: both, dark: both };
};

export const theme = createTheme({
  variantColorResolver,
  primaryColor: "accent",
  colors: {
    accent: alike("accent"),
    test: alike("test"),
    failed: alike("failed"),
    paid: alike("paid"),
    waiting: alike("waiting"),
    expired: alike("expired"),
  },
  fontFamily: "var(--face)",
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: "var(--size-12)", sm: "var(--size-14)", md: "var(--size-16)", lg: "var(--size-20)", xl: "var(--size-28)" },
  lineHeights: { xs: "1.5", sm: "1.5", md: "1.5", lg: "1.5", xl: "1.2" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "var(--size-28)", lineHeight: "1.2" },
      h2: { fontSize: "var(--size-20)", lineHeight: "1.3" },
      h3: { fontSize: "var(--size-16)", lineHeight: "1.5" },
    },
  },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  radius: { xs: "4px", sm: "8px", md: "10px", lg: "12px", xl: "16px" },
  defaultRadius: "md",
  shadows: { xs: "none", sm: "none", md: "var(--shadow)", lg: "var(--shadow)", xl: "var(--shadow)" },
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Modal: { defaultProps: { transitionProps: { duration: 120 }, centered: true, radius: "lg" } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    // Everything floating stays inside a landmark of the page: `Floating` in app/.
    Portal: { defaultProps: { target: "#floating" } },
    // The focus goes to the first entry, not to a placeholder that a menu isn't allowed to contain.
    Menu: { defaultProps: { transitionProps: { duration: 100 }, shadow: "md", withInitialFocusPlaceholder: false } },
    // Hidden elements lose the focus, so a menu stays while the page is scrolled past its button.
    Popover: { defaultProps: { hideDetached: false } },
    Tooltip: { defaultProps: { transitionProps: { duration: 100 }, openDelay: 300, events: { hover: true, focus: true, touch: false } } },
    Button: { defaultProps: { fw: 600, component: StillButton } },
    ActionIcon: { defaultProps: { component: StillButton } },
  },
});
