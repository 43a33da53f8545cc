{{- /* A Deployment of the role .role, which serves at the port .port. */ -}}
{{- define "countersign.process" -}}
{{- $own := get .Values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "countersign.name" . }}-{{ .role }}
  labels: {{- include "countersign.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $own) }}
  replicas: {{ $own.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  selector:
    matchLabels: {{- include "countersign.selector" . | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels: {{- include "countersign.labels" . | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
        countersign/process: "yes"
      annotations:
        checksum/witnesses: {{ .Values.witnesses | sha256sum }}
        {{- with $own.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "countersign.pod" . | nindent 6 }}
      # The process drains, then closes within 25 seconds. It serves while it drains, so no preStop hook has to wait.
      terminationGracePeriodSeconds: 40
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "countersign.selector" $ | nindent 14 }}
              app.kubernetes.io/component: {{ $.role }}
        {{- end }}
      {{- with $own.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .role }}
          image: {{ include "countersign.image" . }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          args: [start]
          env:
            - { name: ROLE, value: {{ .role }} }
            {{- include "countersign.env" . | nindent 12 }}
          ports:
            - { name: {{ .portName }}, containerPort: {{ .port }} }
            - { name: metrics, containerPort: 9464 }
          startupProbe:
            httpGet: { path: /health/live, port: {{ .portName }} }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: {{ .portName }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: {{ .portName }} }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          resources: {{- toYaml $own.resources | nindent 12 }}
          securityContext: {{- include "countersign.containerSecurity" . | nindent 12 }}
          volumeMounts:
            - { name: secrets, mountPath: /run/countersign, readOnly: true }
      volumes: {{- include "countersign.volumes" . | nindent 8 }}
{{- end }}
