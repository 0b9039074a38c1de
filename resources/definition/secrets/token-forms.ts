/**
 * Tokens that name their issuer: each has a fixed beginning and a length, so ordinary text does not match. The list
 * follows the rules of gitleaks and TruffleHog that need no word next to the token.
 */

/** Without flags, so that they can be joined. */
const list: readonly (readonly [issuer: string, pattern: RegExp])[] = [
  ["1Password", /\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b/],
  ["1Password", /ops_ey[A-Za-z0-9+/=]{100}/],
  ["Adafruit", /\baio_[A-Za-z0-9]{28}\b/],
  ["Adobe", /\bp8e-[A-Za-z0-9]{32}\b/],
  ["age", /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/],
  ["Airtable", /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/],
  ["Alibaba Cloud", /\bLTAI[A-Za-z0-9]{20}\b/],
  ["Anthropic", /\bsk-ant-[a-z]{2,6}\d\d-[\w-]{40}/],
  ["Artifactory", /\bAKCp[A-Za-z0-9]{69}\b/],
  ["Artifactory", /\bcmVmd[A-Za-z0-9]{59}\b/],
  ["Atlassian", /\bAT(?:ATT|CTT)3[\w=-]{100}/],
  ["Atlassian", /\bATBB[A-Za-z0-9]{24}[A-F0-9]{8}\b/],
  ["AWS", /\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/],
  ["AWS", /\bABSK[A-Za-z0-9+/]{109}|bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t/],
  ["Azure", /(?<![\w~.])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/],
  ["Azure", /[?&]sig=[A-Za-z0-9%+/]{43}/],
  ["Braintree", /\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/],
  ["Buildkite", /\bbkua_[a-f0-9]{40}\b/],
  ["CircleCI", /\bCCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}\b/],
  ["ClickHouse", /\b4b1d[A-Za-z0-9]{38}\b/],
  ["Clojars", /\bCLOJARS_[a-z0-9]{60}\b/],
  ["Cloudflare", /\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b/],
  ["Contentful", /\bCFPAT-[\w-]{43}/],
  ["crates.io", /\bcio[A-Za-z0-9]{32}\b/],
  ["Databricks", /\bdapi[a-f0-9]{32}/],
  ["Deno", /\bdd[pw]_[A-Za-z0-9]{36}\b/],
  ["DigitalOcean", /\bdo[opr]_v1_[a-f0-9]{64}\b/],
  ["Discord", /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60}/],
  ["Docker", /\bdckr_(?:pat|oat)_[\w-]{20}/],
  ["Doppler", /\bdp\.(?:pt|st(?:\.[\w-]{2,35})?|ct|sa|scim|audit)\.[A-Za-z0-9]{40}/],
  ["Duffel", /\bduffel_(?:test|live)_[\w=-]{43}/],
  ["Dynatrace", /\bdt0[a-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}\b/],
  ["EasyPost", /\bEZ[AT]K[A-Za-z0-9]{54}\b/],
  ["Facebook", /\bEAA[MC][A-Za-z0-9]{100}/],
  ["Figma", /\bfigd_[\w-]{40}/],
  ["Flutterwave", /\bFLWSECK(?:_TEST)?-[A-Za-z0-9]{12}/],
  ["Fly.io", /\bfo1_[\w-]{43}|\bfm(?:1[ar]|2)_[A-Za-z0-9+/]{100}/],
  ["Frame.io", /\bfio-u-[\w=-]{64}/],
  ["GitHub", /gh[pousr]_[A-Za-z0-9]{20}/],
  ["GitHub", /github_pat_\w{20}/],
  ["GitLab", /\bgl(?:pat|ptt|cbt|rtr?|dt|soat|ft|fct|ffct|imt|agent|oas|wt)-[\w-]{16}/],
  ["GitLab", /\bGR1348941[\w-]{20}/],
  ["Google", /\bAIza[\w-]{35}/],
  ["Google", /\bGOCSPX-[\w-]{28}/],
  ["Google", /\bya29\.[\w-]{30}/],
  ["Grafana", /\bgl(?:sa|c)_[\w+/=]{20}/],
  ["Grafana", /\beyJrIjoi[A-Za-z0-9]{70}/],
  ["Groq", /\bgsk_[A-Za-z0-9]{52}\b/],
  ["Harness", /\b[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}\b/],
  ["HashiCorp", /\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60}/],
  ["HashiCorp", /\b(?:hvs|hvb|hvr)\.[\w-]{20}/],
  ["Heroku", /\bHRKU-AA[\w-]{58}/],
  ["Hugging Face", /\bhf_[A-Za-z0-9]{30}/],
  ["Hugging Face", /\bapi_org_[A-Za-z]{34}\b/],
  ["Infracost", /\bico-[A-Za-z0-9]{32}\b/],
  ["JSON web tokens", /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8}/],
  ["LangSmith", /\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b/],
  ["Linear", /\blin_(?:api|oauth)_[A-Za-z0-9]{32}/],
  ["Mailgun", /\bkey-[a-f0-9]{32}\b/],
  ["Mapbox", /\bsk\.eyJ[\w-]{40,}\.[\w-]{20}/],
  ["Microsoft Teams", /\.webhook\.office\.com\/webhookb2\/[a-z0-9]{8}-/],
  ["Netlify", /\bnfp_[A-Za-z0-9]{36}\b/],
  ["New Relic", /\bNRAK-[A-Z0-9]{27}\b/],
  ["Notion", /\bntn_\d{11}[A-Za-z0-9]{35}\b/],
  ["npm", /npm_[A-Za-z0-9]{30}/],
  ["NuGet", /\boy2[a-z0-9]{43}\b/],
  ["Octopus Deploy", /\bAPI-[A-Z0-9]{26}\b/],
  ["OpenAI", /\bsk-(?:proj|svcacct|admin)-[\w-]{40}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ/],
  ["OpenRouter", /\bsk-or-v1-[a-f0-9]{64}\b/],
  ["OpenShift", /\bsha256~[\w-]{43}/],
  ["Perplexity", /\bpplx-[A-Za-z0-9]{48}\b/],
  ["Plaid", /\baccess-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9]{4}-/],
  ["PlanetScale", /\bpscale_(?:tkn|oauth|pw)_[\w=.-]{32}/],
  ["Postman", /\bPMAK-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}\b/],
  ["Prefect", /\bpn[ub]_[A-Za-z0-9]{36}\b/],
  ["Pulumi", /\bpul-[a-f0-9]{40}/],
  ["PyPI", /\bpypi-[\w-]{50}/],
  ["ReadMe", /\brdme_[a-z0-9]{70}\b/],
  ["Replicate", /\br8_[A-Za-z0-9]{37}\b/],
  ["RubyGems", /\brubygems_[a-f0-9]{48}\b/],
  ["Scalingo", /\btk-us-[\w-]{48}/],
  ["SendGrid", /(?<![A-Za-z])SG\.[\w-]{20,24}\.[\w-]{39,50}(?![\w-])/],
  ["Sendinblue", /\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b/],
  ["Sentry", /\bsntrys_eyJ[\w+/=]{40}|sntryu_[a-f0-9]{64}\b/],
  ["SettleMint", /\bsm_[aps]at_[A-Za-z0-9]{16}\b/],
  ["Shippo", /\bshippo_(?:live|test)_[a-fA-F0-9]{40}\b/],
  ["Shopify", /shp(?:pa|ca|at|ss|ua)_[A-Za-z0-9]{32}/],
  ["Slack", /\b(?:xox[a-z]|xapp)-\d[A-Za-z0-9-]{8}/],
  ["Slack", /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/T\w{6,}\/\w/],
  ["Snyk", /\bsnyk_[us]at\.[\w.-]{20}/],
  ["SonarQube", /\bsq[uap]_[a-f0-9]{40}\b/],
  ["Sourcegraph", /\bsgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}\b/],
  ["Square", /\bsq0(?:atp|csp)-[\w-]{22}|\bEAAA[\w-]{60}/],
  ["Stripe", /\b(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10}/],
  ["Stripe", /\bwhsec_[A-Za-z0-9+/=]{16}/],
  ["Supabase", /\bsbp_[a-f0-9]{40}\b|\bsb_secret_[\w-]{31}/],
  ["Tailscale", /\btskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,}-[A-Za-z0-9]{10}/],
  ["Telegram", /\b\d{8,10}:AA[\w-]{33}(?![\w-])/],
  ["Typeform", /\btfp_[\w.=-]{40}/],
  ["xAI", /\bxai-[A-Za-z0-9]{80}\b/],
];

/** Each token, in one expression: a text is searched once. */
export const anyToken = new RegExp(list.map(([, { source }]) => source).join("|"));

export interface FoundToken {
  readonly issuer: string;
  readonly start: number;
  readonly end: number;
}

/** Finds tokens in a text. A match can end before its token does: the range covers all of it. */
export function findTokens(text: string): FoundToken[] {
  if (!anyToken.test(text)) return [];
  return list.flatMap(([issuer, pattern]) =>
    [...text.matchAll(new RegExp(pattern, "g"))].map(({ 0: match, index }) => {
      const end = index + match.length;
      const rest = /^[\w+/=.~-]*/.exec(text.slice(end, end + 2_000));
      return { issuer, start: index, end: end + (rest?.[0].length ?? 0) };
    }),
  );
}
