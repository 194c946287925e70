import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, startProgram } from "./program";

/** Starts nginx ahead of instances on a port of this machine, with what it writes in a folder of the run. */
export function startBalancer(folder: string, port: number, instances: readonly number[]): Program {
  const path = join(folder, "nginx.conf");
  writeFileSync(path, toSettings(folder, port, instances));
  return startProgram("nginx", ["-c", path, "-p", folder, "-e", "stderr"]);
}

/** Every POST of a pane is a read, so a request that an instance left unanswered is put to another one. */
const toSettings = (folder: string, port: number, instances: readonly number[]) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  client_body_buffer_size 256k;
  proxy_buffers 64 16k;
  upstream instances {
    ${instances.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=5s;`).join("\n    ")}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_next_upstream error timeout http_502 http_503 non_idempotent;
      proxy_connect_timeout 2s;
      proxy_read_timeout 130s;
    }
  }
}
`;
