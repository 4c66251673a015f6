/** The server allows exactly those style elements that carry this; scripts never come inline. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";

// Where the package that locks scrolling under a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });
