/** Generates ports and addresses of webhooks and repositories, also with shell variables in them. */
import fc from "fast-check";

export const port = fc.oneof(
  fc.constantFrom("22", "08443", "${PORT}", "$PORT"),
  fc.integer({ min: 1, max: 65_535 }).map(String),
);
export const webAddress = fc.oneof(
  fc.constantFrom("https://hooks.example.com/a?b=1#c", "$HOOK", "${HOOK}/deployed", "HTTP://10.0.0.1:8080"),
  fc.webUrl({ withQueryParameters: true }),
);
export const gitAddress = fc.constantFrom(
  ...["https://git.example.com/web.git", "git@git.example.com:web.git", "ssh://git@git.example.com:22/~/web"],
  ...["$MIRROR", "https://${USER}@git.example.com/web"],
);
