/** The server only allows style elements with this nonce; scripts are never inline. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";

// The package that locks scrolling under a dialog looks for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce });
