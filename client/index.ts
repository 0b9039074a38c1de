/** What other rooms use of the client: what is published, and what only they need. */
export * from "./public.js";
export { connect } from "./connect.js";
export type { Transport } from "./transport.js";
export { personalToken } from "./auth/token.js";
export { isLoopback, readAddress, type Address } from "./address.js";
export { ASK_PER_PAGE, Listing, type ListEnd, type ListReading } from "./paging.js";
export { countPageRequests } from "./page-window.js";
export { describePage } from "./foreign-page.js";
export { maskTexts } from "./mask.js";
