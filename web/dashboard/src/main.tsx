import "./look/nonce.ts";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "../../tokens.css";
import "./look/index.css";
import { DirectionProvider, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ConfirmDialog } from "./app/confirm/confirm-dialog.tsx";
import { Floating } from "./app/floating.tsx";
import { keepFocus } from "./app/keep-focus.ts";
import { createDashboardRouter } from "./app/router.tsx";
import { ApiError, onSignedOut } from "./data/client.ts";
import { meQuery } from "./data/session.ts";
import { nonce } from "./look/nonce.ts";
import { colorSchemes } from "./look/scheme.ts";
import { theme, variables } from "./look/theme.ts";
import { LanguageProvider } from "./words/language.tsx";

const tries = 2;

const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < tries && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});

// Signed out elsewhere, or the session ended: every page checks again who is signed in.
onSignedOut(() => void queries.invalidateQueries({ queryKey: meQuery.queryKey }));

const router = createDashboardRouter(queries);

keepFocus();

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <DirectionProvider>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <LanguageProvider>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
            <Floating />
            <ConfirmDialog />
            <Notifications position="bottom-center" />
          </QueryClientProvider>
        </LanguageProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
);
