/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists the layers of ResNet-50, of a transformer and of a small network. */

#include "config.h"

#include "tsr-gen-layers.h"

static void
layer_free (gpointer data)
{
  TsrGenLayer *layer = data;

  g_free (layer->name);
  g_free (layer->block);
  g_free (layer);
}

typedef struct
{
  GPtrArray *layers;
  guint channels, size; /* of what the last layer gave */
} Builder;

static TsrGenLayer *
add (Builder *self, TsrGenLayerKind kind, const char *block, const char *name, guint ipu)
{
  TsrGenLayer *layer = g_new0 (TsrGenLayer, 1);

  layer->kind = kind;
  layer->block = g_strdup (block);
  layer->name = *name == '\0' ? g_strdup (block) : g_strconcat (block, "/", name, NULL);
  layer->ipu = ipu;
  layer->kernel = 1;
  layer->in_channels = self->channels;
  layer->channels = self->channels;
  layer->size = self->size;
  layer->work = 300 + (double)layer->channels * layer->size * layer->size / 900;
  g_ptr_array_add (self->layers, layer);
  return layer;
}

static void
add_conv (Builder *self,
          const char *block,
          const char *name,
          guint ipu,
          guint kernel,
          guint channels,
          guint stride)
{
  TsrGenLayer *layer;

  self->size /= stride;
  layer = add (self, TSR_GEN_CONV, block, name, ipu);
  layer->kernel = kernel;
  layer->channels = self->channels = channels;
  layer->work
      = 400
        + (double)kernel * kernel * layer->in_channels * channels * self->size * self->size / 40000;
}

static void
add_bottleneck (Builder *self, guint stage, guint index, guint ipu, guint width, guint stride)
{
  g_autofree char *block = g_strdup_printf ("layer%u.%u", stage, index);
  const guint in = self->channels, in_size = self->size;

  add_conv (self, block, "conv1", ipu, 1, width, 1);
  add (self, TSR_GEN_NORM, block, "bn1", ipu);
  add (self, TSR_GEN_RELU, block, "relu1", ipu);
  add_conv (self, block, "conv2", ipu, 3, width, stride);
  add (self, TSR_GEN_NORM, block, "bn2", ipu);
  add (self, TSR_GEN_RELU, block, "relu2", ipu);
  add_conv (self, block, "conv3", ipu, 1, width * 4, 1);
  add (self, TSR_GEN_NORM, block, "bn3", ipu);
  if (index == 0)
    {
      self->channels = in;
      self->size = in_size;
      add_conv (self, block, "downsample/conv", ipu, 1, width * 4, stride);
      add (self, TSR_GEN_NORM, block, "downsample/bn", ipu);
    }
  add (self, TSR_GEN_ADD, block, "add", ipu);
  add (self, TSR_GEN_RELU, block, "relu3", ipu);
}

static void
add_head (Builder *self, guint ipu, guint classes)
{
  TsrGenLayer *layer;

  self->size = 1;
  add (self, TSR_GEN_POOL, "head", "avgpool", ipu);
  layer = add (self, TSR_GEN_FC, "head", "fc", ipu);
  layer->channels = self->channels = classes;
  layer->work = 1500;
  add (self, TSR_GEN_LOSS, "head", "softmax_cross_entropy", ipu);
}

static void
add_resnet50 (Builder *self, guint n_ipus)
{
  static const guint depth[4] = { 3, 4, 6, 3 };
  const guint last = n_ipus - 1;

  self->channels = 3;
  self->size = 224;
  add_conv (self, "stem", "conv1", 0, 7, 64, 2);
  add (self, TSR_GEN_NORM, "stem", "bn1", 0);
  add (self, TSR_GEN_RELU, "stem", "relu", 0);
  self->size /= 2;
  add (self, TSR_GEN_POOL, "stem", "maxpool", 0);
  for (guint stage = 0; stage < 4; stage++)
    for (guint i = 0; i < depth[stage]; i++)
      add_bottleneck (self, stage + 1, i, stage * 10 + i < 22 ? 0 : last, 64u << stage,
                      stage > 0 && i == 0 ? 2 : 1);
  add_head (self, last, 1000);
}

static void
add_small (Builder *self, guint n_ipus)
{
  self->channels = 3;
  self->size = 112;
  add_conv (self, "stem", "conv1", 0, 7, 64, 2);
  add (self, TSR_GEN_NORM, "stem", "bn1", 0);
  add (self, TSR_GEN_RELU, "stem", "relu", 0);
  for (guint stage = 1; stage <= n_ipus + 1; stage++)
    {
      g_autofree char *block = g_strdup_printf ("layer%u.0", stage);
      const guint ipu = MIN (stage - 1, n_ipus - 1);

      add_conv (self, block, "conv1", ipu, 1, 32u << MIN (stage, 3), stage == 3 ? 2 : 1);
      add (self, TSR_GEN_NORM, block, "bn1", ipu);
      add_conv (self, block, "conv2", ipu, 3, 64u << MIN (stage, 3), stage == 2 ? 2 : 1);
      add (self, TSR_GEN_RELU, block, "relu", ipu);
    }
  add_head (self, n_ipus - 1, 100);
}

static void
add_transformer (Builder *self, guint n_ipus)
{
  self->channels = 4096;
  self->size = 8;
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      g_autofree char *block = g_strdup_printf ("decoder.%u", ipu);

      add (self, TSR_GEN_NORM, block, "ln_1", ipu);
      add (self, TSR_GEN_FC, block, "attn/qkv", ipu)->work = 9000;
      add (self, TSR_GEN_RELU, block, "attn/softmax", ipu);
      add (self, TSR_GEN_FC, block, "mlp/c_fc", ipu)->work = 12000;
      add (self, TSR_GEN_ADD, block, "residual", ipu);
    }
}

GPtrArray *
tsr_gen_layers_new (const TsrGenPreset *preset)
{
  Builder self = { g_ptr_array_new_with_free_func (layer_free), 0, 0 };

  switch (preset->network)
    {
    case TSR_GEN_NETWORK_RESNET50:
      add_resnet50 (&self, preset->ipus_per_replica);
      break;
    case TSR_GEN_NETWORK_SMALL:
      add_small (&self, preset->ipus_per_replica);
      break;
    case TSR_GEN_NETWORK_TRANSFORMER:
      add_transformer (&self, preset->ipus_per_replica);
      break;
    case TSR_GEN_NETWORK_TINY:
    default:
      g_assert_not_reached ();
    }
  return self.layers;
}
