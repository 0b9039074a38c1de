/** Builds lines of scripts from a grammar, without a secret or with one that is planted. */

/** A generator of numbers that is the same for each seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Rule = readonly string[];
type Grammar = Readonly<Record<string, Rule>>;

/** `<name>` stands for one of the forms of that name. */
const words: Grammar = {
  word: ["web", "shop", "api", "worker", "billing", "release", "staging", "production", "cache", "queue"],
  file: [
    "dist",
    "build/app.js",
    ".env",
    "config/settings.yaml",
    "/etc/nginx/nginx.conf",
    "./scripts/deploy.sh",
  ],
  number: ["1", "2", "8080", "443", "3600", "22"],
  version: ["1.2.3", "22-alpine", "latest", "v4", "2026.11.28"],
  host: ["example.com", "registry.example.com:5000", "git.example.org", "10.0.0.7", "localhost"],
  user: ["deploy", "ci", "app", "root", "bot"],
  kind: ["TOKEN", "PASSWORD", "SECRET", "API_KEY", "PRIVATE_KEY", "DB_PASSWORD", "NPM_TOKEN", "DEPLOY_TOKEN"],
  lower: [
    "token",
    "password",
    "secret",
    "api_key",
    "client_secret",
    "db_password",
    "access_token",
    "private_key",
  ],
  flag: ["token", "password", "secret", "api-key", "auth-token", "client-secret"],
  variable: [
    "$<kind>",
    "${<kind>}",
    '"$<kind>"',
    "${<kind>:-}",
    "$(cat /run/secrets/<word>)",
    "$(vault kv get -field=<lower> kv/<word>)",
  ],
  other: [
    "${{ secrets.<kind> }}",
    "%s",
    "{{ <lower> }}",
    "`cat /run/<lower>`",
    "<your-<flag>>",
    "${server.key}",
    "base64:$(openssl rand -base64 32)",
  ],
  reference: ["<variable>", "<variable>", "<other>"],
  dummy: [
    "dummy",
    "changeme",
    "example",
    "test",
    "placeholder",
    "fake-token",
    "xxxxx",
    "***",
    "none",
    "not-set",
  ],
  pattern: [".*", '[^"]*', "\\S+", "[A-Za-z0-9]+"],
  describing: [
    "<kind>_FILE",
    "<kind>_NAME",
    "<kind>_PATH",
    "SECRET_NAME",
    "SSH_KEY_PATH",
    "TOKEN_URL",
    "TOKEN_TTL",
  ],
};

const plain: Grammar = {
  ...words,
  line: [
    "<shell>",
    "<docker>",
    "<git>",
    "<curl>",
    "<sed>",
    "<awk>",
    "<jq>",
    "<psql>",
    "<ssh>",
    "<ci>",
    "<build>",
  ],
  shell: [
    "export <kind>=<reference>",
    "<kind>=<reference> ./run.sh --port <number>",
    "printf '<kind>=%s\\n' \"$<kind>\" >> <file>",
    'echo "<kind>=<reference>" > <file>',
    "test -n \"$<kind>\" || { echo '<kind> is not set'; exit 1; }",
    'if [ "$<kind>" = "" ]; then exit <number>; fi',
    "unset <kind> <kind>",
    "<kind>=<dummy> bundle exec rake assets:precompile",
    "<describing>=/run/secrets/<word>",
    "<describing>=<word>",
    "read -rs <kind> && export <kind>",
    "set -euo pipefail; source <file>",
    "echo 'the <lower> of <word> is in the vault'",
    "cp <file> /tmp/<word>-<number>",
    'for f in *.<word>; do echo "$f"; done',
    ': "${<kind>:?<kind> is required}"',
    "./login --<flag>-file /run/secrets/<word>",
    "./login --<flag>-stdin < <file>",
    "./run --<flag>=<reference> --<flag> <reference>",
    "max_tokens=<number> ./summarize <file>",
    "grep -c '<kind>=' <file>",
  ],
  docker: [
    "docker build --build-arg <kind> -t <host>/<word>:<version> .",
    "docker build --secret id=<lower>,env=<kind> .",
    "docker run -e <kind> -p <number>:<number> <word>:<version>",
    "docker run -e <kind>=<reference> -u 1000:1000 <word>",
    'echo "$<kind>" | docker login <host> -u <user> --password-stdin',
    "docker login -u <user> -p <variable> <host>",
    "docker compose -f <file> up -d <word>",
    "docker secret create <lower> <file>",
    "kubectl create secret generic <word> --from-literal=<lower>=<reference>",
    "kubectl get secret <word>-token -o yaml",
    "helm upgrade <word> ./chart --set auth.enabled=true --set image.tag=<version>",
    "helm upgrade <word> . --set <lower>=<reference>",
  ],
  git: [
    "git clone https://<user>:<variable>@<host>/<word>.git",
    "git clone git@<host>:<word>/<word>.git",
    "git clone https://<host>/<word>.git --depth <number>",
    "git config --global credential.helper store",
    'git -c http.extraheader="AUTHORIZATION: bearer $<kind>" fetch origin',
    "git commit -m 'Rotate the <lower> of <word>'",
    "git remote set-url origin https://x-access-token:${<kind>}@<host>/<word>.git",
  ],
  curl: [
    'curl -fsS -u "$USER:$<kind>" https://<host>/<word>',
    'curl -H "Authorization: Bearer <variable>" https://<host>',
    'curl -H "PRIVATE-TOKEN: $<kind>" https://<host>/api/v4/projects',
    "curl --user-agent <word>:v<number> https://<host>",
    'curl -d \'{"<lower>": "\'"$<kind>"\'"}\' https://<host>',
    'curl "https://<host>?<lower>=${<kind>}&page=<number>"',
    "curl -H 'Content-Type: application/json' -X POST https://<host>",
    'wget --header="X-Api-Key: $<kind>" https://<host>/<file>',
  ],
  sed: [
    'sed -i "s/<kind>=<pattern>/<kind>=$<kind>/" <file>',
    "sed -i 's|<lower>: <pattern>|<lower>: ***|' <file>",
    "sed -e 's/__<kind>__/'\"$<kind>\"'/g' <file>",
    "perl -pe 's/<lower>=<pattern>/<lower>=xxxx/' <file>",
    "grep -E '<lower>=<pattern>' <file>",
    "envsubst '$<kind>' < <file> > dist/<word>",
  ],
  awk: [
    "awk -F= '/^<kind>=/{print $2}' <file>",
    "awk '{print $1}' <file> | sort -u",
    "awk -v <lower>=\"$<kind>\" '{print <lower>}' <file>",
  ],
  jq: [
    "jq -r .<lower> <file>",
    "jq --arg <lower> \"$<kind>\" '.auth.<lower> = $<lower>' <file>",
    "jq '{<lower>: .data.<lower>}' <file>",
    "jq 'select(.<lower> == null)' <file>",
    "<kind>=$(jq -r '.<lower>' <file>)",
    "yq '.<lower> = strenv(<kind>)' <file>",
  ],
  psql: [
    "psql \"postgres://<user>:$<kind>@<host>/<word>\" -c 'select 1'",
    "PGPASSWORD=<variable> psql -h <host> -U <user> <word>",
    "psql -c \"ALTER ROLE <user> PASSWORD '$<kind>'\"",
    'mysql -h <host> -P <number> -u <user> -p"$<kind>" <word>',
    "mysqldump -u <user> -p <word> > <file>",
    "POSTGRES_PASSWORD=<dummy> docker compose up -d db",
    'redis-cli -h <host> -a "$<kind>" ping',
    "DATABASE_URL=postgres://postgres:postgres@localhost/<word>",
  ],
  ssh: [
    "ssh -i ~/.ssh/id_ed25519 -p <number> <user>@<host> 'systemctl restart <word>'",
    "scp -P <number> <file> <user>@<host>:/srv/<word>",
    "ssh -o PasswordAuthentication=no <user>@<host>",
    "echo \"$<kind>\" | tr -d '\\r' | ssh-add -",
    "sshpass -e ssh <user>@<host>",
    'sshpass -p "$<kind>" ssh <user>@<host>',
    "rsync -az -e 'ssh -p <number>' dist/ <user>@<host>:/srv/<word>",
    "ssh-keyscan -p <number> <host> >> ~/.ssh/known_hosts",
  ],
  ci: [
    'echo "<lower>=<variable>" >> $GITHUB_OUTPUT',
    'echo "::add-mask::$<kind>"',
    "aws secretsmanager get-secret-value --secret-id <word>/<lower>",
    "gcloud secrets versions access latest --secret=<word>-<flag>",
    "vault kv get -field=<lower> secret/<word>",
    'npm config set //<host>/:_authToken "$<kind>"',
    'echo "//<host>/:_authToken=\\${<kind>}" > .npmrc',
    "az login --service-principal -u $ID -p $<kind> --tenant $TENANT",
    'terraform apply -var="<lower>=$<kind>"',
    "op read op://<word>/<word>/<lower>",
    "aws ssm get-parameter --name /<word>/<lower> --with-decryption",
    "sops -d <file> > .env",
    "<lower>: ${{ secrets.<kind> }}",
    "<lower>_name: <word>",
    "token_name=<word>",
    "authentication: NONE",
    "env:\n  <kind>: $<kind>",
  ],
  build: [
    "npm ci && npm test -- --shard=<number>/<number>",
    "npm run <word> -- --token-type=bearer",
    "pip install -r requirements.txt --index-url https://<host>/simple",
    "mvn -B deploy -Dgpg.passphrase=$<kind> -DskipTests",
    "gradle publish -P<lower>=$<kind>",
    "make <word> VERSION=<version>",
    "cargo build --release --features <word>",
    "python -c \"import os; <lower> = os.environ['<kind>']\"",
    "const <lower> = process.env.<kind>;",
    "# rotate the <lower> every <number> days",
    "node -e 'const <lower> = getToken(); run(<lower>)'",
    "uuid=0f8fad5b-d9cb-469f-a165-70867728950e",
    "sha256sum -c <word>.sha256",
    "tsc -p tsconfig.json --outDir dist/<word>",
  ],
};

/** Lines with `<planted>` in the place of a secret, and with a password that people choose. */
const planted: Grammar = {
  ...words,
  line: [
    "export <kind>=<planted>",
    "<kind>='<planted>' ./run.sh",
    'echo "<kind>=<planted>" > <file>',
    "printf '<kind>=<planted>\\n' >> <file>",
    "./login --<flag>=<planted>",
    "./login --<flag> <planted>",
    "./login --<flag> '<planted>'",
    "docker run -e <kind>=<planted> <word>",
    "docker login -u <user> -p <planted> <host>",
    "docker login <host> --username <user> --password <planted>",
    "docker build --build-arg <kind>=<planted> .",
    "ENV <kind>=<planted>",
    "kubectl create secret generic <word> --from-literal=<lower>=<planted>",
    "helm upgrade <word> . --set <lower>=<planted>",
    "git clone https://<user>:<planted>@<host>/<word>.git",
    "git remote set-url origin https://oauth2:<planted>@<host>/<word>.git",
    "curl -u <user>:<planted> https://<host>",
    "curl -fsS --user '<user>:<planted>' https://<host>",
    "curl -H 'Authorization: Bearer <planted>' https://<host>",
    'curl -H "PRIVATE-TOKEN: <planted>" https://<host>',
    "curl -H 'X-Api-Key: <planted>' https://<host>",
    'curl -d \'{"<lower>": "<planted>"}\' https://<host>',
    'curl -d "{\\"<lower>\\": \\"<planted>\\"}" https://<host>',
    'curl "https://<host>?<lower>=<planted>&page=<number>"',
    "sed -i 's/<kind>=.*/<kind>=<planted>/' <file>",
    "jq '.<lower> = \"<planted>\"' <file>",
    "psql postgres://<user>:<planted>@<host>/<word>",
    "PGPASSWORD=<planted> psql -h <host>",
    "psql -c \"ALTER ROLE <user> PASSWORD '<planted>'\"",
    "mysql -u <user> -p<planted> <word>",
    "redis-cli -h <host> -a <planted> ping",
    "sshpass -p <planted> ssh <user>@<host>",
    "sshpass -p '<planted>' ssh <user>@<host>",
    "npm config set //<host>/:_authToken <planted>",
    "echo //<host>/:_authToken=<planted> > .npmrc",
    "aws configure set aws_secret_access_key <planted>",
    "vault kv put secret/<word> <lower>=<planted>",
    "machine <host> login <user> password <planted>",
    "openssl enc -aes256 -pass pass:<planted> -in <file>",
    "<lower>: <planted>",
    "cat > <file> <<EOF\nname: <word>\n<lower>: <planted>\nEOF",
    "DB=${<kind>:-<planted>}",
    "az login --service-principal -u x -p <planted>",
  ],
};

function expand(grammar: Grammar, random: () => number, text: string): string {
  return text.replace(/<([a-z]+)>/g, (whole, name: string) => {
    const forms = grammar[name];
    if (forms === undefined) return whole;
    return expand(grammar, random, forms[Math.floor(random() * forms.length)] ?? "");
  });
}

/** Returns a line without a secret. */
export const buildPlainLine = (random: () => number) => expand(plain, random, "<line>");

export interface PlantedLine {
  readonly line: string;
  readonly secret: string;
}

/** Returns a line with a random secret in it. */
export function buildPlantedLine(random: () => number): PlantedLine {
  const letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const length = 8 + Math.floor(random() * 32);
  const pick = (from: string) => from[Math.floor(random() * from.length)] ?? "";
  const special = random() < 0.3 ? pick("!#%+.-_^~") : "";
  const rest = Array.from({ length: length - 2 }, () => pick(letters)).join("");
  const secret = `${pick("abcdefgh")}${pick("23456789")}${special}${rest}`;
  return { line: expand(planted, random, "<line>").replace("<planted>", secret), secret };
}
