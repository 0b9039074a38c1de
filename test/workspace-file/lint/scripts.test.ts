/** Tests that lint reports no error in scripts as people write them, which only refer to secrets, and in the quickstart. */
import { expect, it } from "vitest";
import type { WorkspaceDocument } from "../../../schema/workspace-document.js";
import { escapePlaceholders } from "../../../workspace-file/compose/placeholders.js";
import { lint } from "../../../workspace-file/lint/lint.js";
import { documentText } from "../../../workspace-file/write/write.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const SCRIPTS: Readonly<Record<string, string>> = {
  "a registry": `echo "$REGISTRY_PASSWORD" | docker login -u "$REGISTRY_USER" --password-stdin registry.example.com
docker build --build-arg NPM_TOKEN=$NPM_TOKEN -t "registry.example.com/shop:\${VERSION:-latest}" .
docker push "registry.example.com/shop:\${VERSION:-latest}"`,
  "a package of Node.js": `set -euo pipefail
echo "//registry.npmjs.org/:_authToken=\${NPM_TOKEN}" > .npmrc
npm ci --no-audit
npm publish --access public
rm -f .npmrc`,
  "a file of settings": `cat > .env <<EOF
APP_KEY=$(openssl rand -base64 32)
DB_PASSWORD=\${DB_PASSWORD}
API_TOKEN=$API_TOKEN
EOF
sed -i "s/^DB_HOST=.*/DB_HOST=$DB_HOST/" .env`,
  "a deployment over SSH": `eval "$(ssh-agent -s)"
echo "$SSH_PRIVATE_KEY" | tr -d '\\r' | ssh-add -
mkdir -p ~/.ssh && chmod 700 ~/.ssh
ssh-keyscan -H "$HOST" >> ~/.ssh/known_hosts
rsync -az --delete -e "ssh -i ~/.ssh/id_ed25519" dist/ deploy@"$HOST":/var/www/shop`,
  "a notification": `curl -fsS -X POST "https://chat.example.com/api/messages" \\
  -H "Authorization: Bearer $CHAT_TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data "{\\"text\\": \\"Deployed \${VERSION}\\"}"`,
  "a database": `export PGPASSWORD="$DB_PASSWORD"
psql -h "$DB_HOST" -U app -d shop -v ON_ERROR_STOP=1 -c "ALTER USER report WITH PASSWORD :'password'" -v password="$REPORT_PASSWORD"
pg_dump --format=custom shop | gzip > "backup-$(date +%F).gz"`,
  "a cluster": `kubectl create secret generic shop --from-literal=token="$API_TOKEN" --dry-run=client -o yaml | kubectl apply -f -
kubectl set image deployment/shop shop=registry.example.com/shop:$VERSION
kubectl rollout status deployment/shop --timeout=120s`,
  "a release": `git config user.name ci && git config user.email ci@example.com
git remote set-url origin "https://x-access-token:\${GITHUB_TOKEN}@github.com/example/shop.git"
git tag -a "v$VERSION" -m "Release $VERSION"
git push origin "v$VERSION"`,
  "a cloud": `TOKEN=$(aws sts get-session-token --query 'Credentials.SessionToken' --output text)
export AWS_SESSION_TOKEN="$TOKEN"
aws s3 sync dist "s3://$BUCKET" --delete --cache-control 'max-age=31536000'
aws secretsmanager get-secret-value --secret-id shop/token | jq -r .SecretString > /run/token`,
  "a report": `jq -r '.results[] | [.name, .secret_name, .password_changed_at] | @tsv' report.json |
  awk -F'\\t' '$2 != "" { printf "%-30s token=%s\\n", $1, $2 }'`,
  "a theme": `cd wp-content/themes/shop
composer config --global http-basic.repo.example.com token "$COMPOSER_TOKEN"
composer install --no-dev --optimize-autoloader
SECRET_KEY_BASE=dummy bundle exec rake assets:precompile`,
  "a migration": `for file in migrations/*.sql; do
  printf 'PASSWORD=%s\\n' "$DB_PASSWORD" > ~/.my.cnf.tmp
  mysql --defaults-extra-file=~/.my.cnf.tmp shop < "$file" || { echo "failed: $file" >&2; exit 1; }
done
rm -f ~/.my.cnf.tmp`,
};

/** The errors of a file, with the lines in which they are. */
async function errorsIn(file: string): Promise<string[]> {
  const { findings } = await lint(file, { env: {}, mock: true });
  const errors = findings.filter(({ severity }) => severity === "error");
  return errors.map(({ code, message, place }) => `${place.line}: ${code}: ${message}`);
}

/** Lints a pipeline that runs a script as one command, and line by line. */
async function lintScript(script: string): Promise<string[]> {
  const action = {
    name: "Run",
    type: "BUILD",
    triggerTime: "ON_EVERY_EXECUTION",
    containerImageName: "node",
    containerImageTag: "22",
    executeCommands: [escapePlaceholders(script), ...script.split("\n").map(escapePlaceholders)],
  };
  const pipeline = { triggerMode: "MANUAL", refType: "BRANCH", refName: "main", actions: [action] };
  const document = { version: 1, projects: { web: { displayName: "Web", pipelines: { deploy: pipeline } } } };
  const text = documentText(document as unknown as WorkspaceDocument);
  return errorsIn(fileIn(temporaryFolder(), "workspace.yaml", text));
}

it.each(Object.entries(SCRIPTS))("reports no error in the script of %s", async (_name, script) => {
  expect(await lintScript(script)).toEqual([]);
});

it("reports a secret that stands in such a script", async () => {
  const token = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1Ab".slice(0, 36)}`;
  const planted = SCRIPTS["a release"]!.replace("${GITHUB_TOKEN}", token);
  expect(await lintScript(planted)).not.toEqual([]);
});

it("reports no error in the quickstart", async () => {
  expect(await errorsIn("examples/quickstart/workspace.yaml")).toEqual([]);
});
