{{- define "countersign.name" -}}
{{- $name := ternary .Release.Name (printf "%s-countersign" .Release.Name) (contains "countersign" .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "countersign.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "countersign.selector" -}}
app.kubernetes.io/name: countersign
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "countersign.labels" -}}
{{ include "countersign.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "countersign.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "countersign.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "countersign.fromSecret" -}}
valueFrom: { secretKeyRef: { name: {{ .name }}, key: {{ .key }} } }
{{- end }}

{{- /* CELLS: name=url, in the order of the names. */ -}}
{{- define "countersign.cells" -}}
{{- $cells := list -}}
{{- range $name, $url := .Values.database.cells -}}
{{- $cells = append $cells (printf "%s=%s" $name $url) -}}
{{- end -}}
{{- join "," $cells -}}
{{- end }}

{{- define "countersign.env" -}}
- { name: NODE_ENV, value: production }
- { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
{{- with .Values.logHost }}
- { name: TLOG_HOST, value: {{ . | quote }} }
{{- end }}
- { name: DATABASE_URL, value: {{ .Values.database.url | quote }} }
{{- with include "countersign.cells" . }}
- { name: CELLS, value: {{ . | quote }} }
{{- end }}
- { name: DATABASE_PASSWORD_FILE, value: /run/countersign/database-password }
- { name: SECRET_KEY_FILE, value: /run/countersign/secret-key }
- { name: TLOG_KEY_FILE, value: /run/countersign/log-key }
- name: TLOG_FENCE
  {{- include "countersign.fromSecret" .Values.fence.urlSecret | nindent 2 }}
{{- if .Values.witnesses }}
- { name: TLOG_POLICY_FILE, value: /run/countersign/witnesses }
{{- end }}
{{- if .Values.redis.urlSecret.name }}
- name: REDIS_URL
  {{- include "countersign.fromSecret" .Values.redis.urlSecret | nindent 2 }}
{{- end }}
{{- if .Values.smtp.urlSecret.name }}
- name: SMTP_URL
  {{- include "countersign.fromSecret" .Values.smtp.urlSecret | nindent 2 }}
{{- end }}
{{- if .Values.telemetry.headersSecret.name }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  {{- include "countersign.fromSecret" .Values.telemetry.headersSecret | nindent 2 }}
{{- end }}
{{- if .Values.push.keySecret.name }}
- { name: VAPID_PRIVATE_KEY_FILE, value: /run/countersign/push-key }
{{- end }}
{{- if .Values.model.keySecret.name }}
- { name: AI_API_KEY_FILE, value: /run/countersign/model-key }
{{- end }}
{{- with .Values.trustedProxies }}
- { name: TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
- { name: PORT, value: "3000" }
- { name: METRICS_HOST, value: 0.0.0.0 }
- { name: METRICS_PORT, value: "9464" }
- { name: HEALTH_PORT, value: "9465" }
- { name: DRAIN_SECONDS, value: {{ .Values.drainSeconds | quote }} }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "countersign.volumes" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ .Values.keys.secret }}
          items:
            - { key: {{ .Values.keys.secretKey }}, path: secret-key }
            - { key: {{ .Values.keys.logKey }}, path: log-key }
      - secret:
          name: {{ .Values.database.passwordSecret.name }}
          items: [{ key: {{ .Values.database.passwordSecret.key }}, path: database-password }]
      {{- if .Values.witnesses }}
      - configMap: { name: {{ include "countersign.name" . }}-witnesses }
      {{- end }}
      {{- with .Values.push.keySecret }}{{ if .name }}
      - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: push-key }] }
      {{- end }}{{ end }}
      {{- with .Values.model.keySecret }}{{ if .name }}
      - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: model-key }] }
      {{- end }}{{ end }}
{{- end }}

{{- define "countersign.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext: {{- include "countersign.podSecurity" . | nindent 2 }}
{{- end }}
