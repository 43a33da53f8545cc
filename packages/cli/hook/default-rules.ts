/** What is asked about unless your rules say otherwise: what leaves this machine, can't be undone, or changes who may do what. */
import type { Rule } from './rules-schema.ts'

const each = (text: string): readonly string[] => text.split(',').map((one) => one.trim())

export const defaultRules: readonly Rule[] = [
  {
    name: 'own-settings',
    paths: each(`
      ~/.config/countersign/**, ~/.local/state/countersign/**, /etc/countersign/**, **/.claude/settings*.json,
      ~/.claude.json, ~/.claude/**, **/.claude/*, **/.claude/hooks/**, **/.claude/skills/**, **/.claude/commands/**,
      **/.claude/agents/**, **/.claude/plugins/**, **/.claude/rules/**, **/.claude/output-styles/**, /etc/claude-code/**, **/.mcp.json, ~/.codex/**,
      **/.codex/**, /etc/codex/**, ~/.gemini/**, **/.gemini/**, ~/.copilot/**, **/.github/hooks/**,
      ~/.config/opencode/**, **/.opencode/**, **/opencode.json*, ~/.cursor/**, **/.cursor/**,
      /Library/Application Support/ClaudeCode/**
    `),
    commands: each(`
      countersign agents, countersign logout, countersign login, countersign hook, cli agents, cli login, cli logout,
      cli hook, main.js agents, main.ts agents, claude config, claude mcp,
      claude plugin, claude --settings, claude --dangerously-skip-permissions, codex --dangerously-*, codex -c,
      codex --config, gemini --yolo, codex mcp, copilot --allow-all*
    `),
    risk: 1,
  },
  {
    name: 'start-up-files',
    paths: each(`
      ~/.bashrc, ~/.bash_profile, ~/.bash_aliases, ~/.profile, ~/.zshrc, ~/.zshenv, ~/.zprofile,
      ~/.config/fish/**, ~/.ssh/**, ~/.gitconfig, ~/.config/git/**, **/.git/config, **/.git/hooks/**, **/.git/modules/**/config,
      **/.git/modules/**/hooks/**, **/.git/**/config.worktree, ~/.npmrc,
      ~/.pypirc, ~/.netrc, ~/.aws/**, ~/.kube/**, ~/.config/systemd/**, /etc/**, ~/Library/LaunchAgents/**,
      **/.envrc, **/.husky/**
    `),
    commands: each(`
      crontab, at, batch, systemctl enable, launchctl load, launchctl bootstrap, git config, chsh, npm config set, npm set,
      pnpm config set, pnpm set, yarn config set, pip config set, bun config, git maintenance start
    `),
    risk: 0.9,
  },
  {
    name: 'git-push',
    commands: each(`
      git push, git send-pack, git send-email, git svn dcommit, git lfs push, git subtree push, hub push,
      git remote add, git remote set-url, gt submit, jj git push, git credential, hg push, sl push, sl pr, sl submit,
      svn commit, svn ci, bzr push, fossil push, fossil sync, dvc push, p4 submit, arc land, arc diff, ghstack, repo upload
    `),
    risk: 0.7,
  },
  {
    name: 'git-rewrite',
    commands: each(`
      git * --force, git * -f, git reset --hard, git clean -f, git clean --force, git branch -D,
      git filter-branch, git filter-repo, git reflog expire, git reflog delete, git update-ref -d,
      git stash drop, git stash clear, git gc --prune*, git checkout --force, git branch --delete, git tag -d,
      git worktree remove, git prune, git checkout ., git checkout -- ., git checkout * -- ., git checkout * ., git restore ., git switch --discard-changes
    `),
    risk: 0.7,
  },
  {
    name: 'delete',
    commands: each(`
      rm -r, rm -R, rm --recursive, find -delete, shred, dd, mkfs*, wipefs, truncate, rsync --delete*, fdisk,
      parted, diskutil, unlink, trash, srm
    `),
    risk: 0.8,
  },
  {
    name: 'publish',
    commands: each(`
      npm publish, npm pub, npm unpublish, npm unpub, npm deprecate, npm dist-tag, npm owner, npm access, npm token, npm login,
      pnpm publish, yarn publish, yarn npm publish, bun publish, cargo publish, cargo yank, gem push, gem yank,
      twine upload, poetry publish, uv publish, flit publish, hatch publish, mvn deploy, gradle publish*,
      dotnet nuget push, nuget push, docker push, docker image push, docker compose push, docker-compose push, podman push, skopeo copy, oras push, helm push, goreleaser,
      semantic-release, release-it, lerna publish, changeset publish, vsce publish, pod trunk push, npm version,
      np, docker buildx build --push, docker build --push, crane push, jsr publish, deno publish
    `),
    risk: 0.9,
  },
  {
    name: 'deploy',
    commands: each(`
      terraform apply, terraform destroy, terraform import, terraform state, tofu apply, tofu destroy, pulumi up,
      pulumi destroy, cdk deploy, cdk destroy, sam deploy, serverless deploy, sls deploy, kubectl apply,
      kubectl delete, kubectl create, kubectl replace, kubectl patch, kubectl scale, kubectl rollout,
      kubectl drain, kubectl exec, kubectl edit, kubectl set, kubectl run, kubectl cp, helm install,
      helm upgrade, helm uninstall, helm delete, helm rollback, ansible*, vercel, netlify deploy,
      wrangler deploy, wrangler publish, wrangler delete, fly deploy, flyctl deploy, railway up, heroku,
      firebase deploy, eb deploy, gcloud, az, aws, doctl, cf push, kamal, cap, make deploy*, make publish*,
      make release*, make push*, make install, just deploy*, task deploy*, docker stack deploy,
      docker system prune, docker volume rm, docker compose down -v, docker compose down --volumes,
      docker-compose down -v, docker-compose down --volumes, supabase, convex deploy, amplify push, firebase-tools deploy,
      netlify-cli deploy
    `),
    risk: 0.9,
  },
  {
    name: 'forge',
    commands: each(`
      gh pr merge, gh pr create, gh pr close, gh release, gh repo delete, gh repo create, gh repo edit,
      gh repo archive, gh secret, gh variable, gh workflow run, gh api, gh auth, gh issue create, gh issue close,
      gh issue delete, gh gist create, gh ssh-key, gh gpg-key, gh codespace, gh run rerun, gh extension,
      gh alias, glab
    `),
    risk: 0.7,
  },
  {
    name: 'send',
    commands: each(`
      curl -d, curl --data*, curl -F, curl --form*, curl -T, curl --upload-file, curl --json, curl -X,
      curl --request, curl -K, curl --config, wget --post*, wget --method, wget --body*, http POST, http PUT,
      http PATCH, http DELETE, https POST, https PUT, https PATCH, https DELETE, xh POST, xh PUT, xh PATCH,
      xh DELETE, xh delete, xh post, http post, http delete, http put, nc, ncat, netcat, socat, telnet, ftp,
      sftp, lftp, scp, rsync, rclone, ssh, mosh, mail, mailx, sendmail, swaks, mutt, ngrok, cloudflared, s3cmd,
      gsutil, mc, azcopy, openssl s_client, croc, wormhole, aria2c, grpcurl, dig, nslookup, drill, websocat, wscat, wget --header
    `),
    risk: 0.6,
  },
  {
    name: 'database',
    commands: each(`
      psql, pg_restore, pgbench, dropdb, createdb, dropuser, createuser, mysql, mariadb, mysqladmin, mysqlimport,
      sqlite3, sqlcmd, bcp, sqlplus, mongosh, mongo, mongorestore, redis-cli, valkey-cli, cqlsh, clickhouse*,
      duckdb, influx, cockroach, etcdctl, snowsql, bq, usql, pgcli, mycli, litecli, prisma migrate, prisma db,
      drizzle-kit push, drizzle-kit migrate, rails db:*, rake db:*, flyway, liquibase, alembic, knex migrate*,
      sequelize db:*
    `),
    risk: 0.7,
  },
  {
    name: 'machine',
    commands: each(`
      sudo, doas, su, pkexec, chown, useradd, usermod, userdel, passwd, visudo, systemctl stop,
      systemctl disable, systemctl mask, shutdown, reboot, halt, poweroff, killall, pkill, iptables, nft, ufw,
      mount, umount, chmod -R, chmod 777, security, keychain, gpg --export-secret-keys, insmod, modprobe,
      nsenter, xdotool, ydotool, osascript, tmux send-keys, tmux send, tmux paste-buffer, screen -X, chattr
    `),
    risk: 0.8,
  },
]
